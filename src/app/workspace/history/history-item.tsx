import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { Suspense, useEffect, useId, useRef } from 'react';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { listItem } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { OutcomeGlyph } from '../marks/outcome-glyph.tsx';
import { StepMarkBadges } from '../marks/step-mark-badges.tsx';
import { useOutcomeText } from '../marks/use-outcome-text.ts';
import { useDayText } from '../time/use-day-text.ts';
import styles from './history.module.css';
import { historyDetails } from './history-details.ts';
import { HistoryItemDetails } from './history-item-details.tsx';
import { Marked } from './marked.tsx';
import { shortOutcome, shortRequest } from './short-message.ts';

const StartedBy = lazyPart<{ name: string }>(() => import('./trigger-filter.tsx').then((file) => file.StartedBy));

type StatusName = 'processing' | 'completed' | 'failed' | 'cancelled';

const statusNames: Record<ResultItem['status'], StatusName> = {
  [resultStatus.processing]: 'processing',
  [resultStatus.completed]: 'completed',
  [resultStatus.failed]: 'failed',
  [resultStatus.cancelled]: 'cancelled',
};

/** `depth`: forks lie below their original. */
type HistoryItemProps = { item: ResultItem; query: string; onRemoved: (id: string) => void; depth?: number };

/** One run: outcome, task and result; details when opened. */
export function HistoryItem({ item, query, onRemoved, depth = 0 }: HistoryItemProps) {
  const { panels, show } = usePanels();
  const id = useId();
  const open = panels.historyItemId === item.id;
  const frame = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (open) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <m.li
      {...useAppearing(listItem)}
      ref={frame}
      className={styles.item}
      style={depth > 0 ? { marginInlineStart: Math.min(depth, 4) * 16 } : undefined}
      data-depth={depth || undefined}
      data-open={open || undefined}
      data-status={statusNames[item.status]}
      data-testid="history-item"
    >
      <button
        type="button"
        className={styles.face}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => show({ historyItemId: open ? null : item.id })}
      >
        <Summary item={item} query={query} />
      </button>
      <CompareWithThis item={item} />
      <AnimatePresence initial={false}>
        {open && <HistoryItemDetails key="details" id={id} item={item} query={query} onRemoved={onRemoved} />}
      </AnimatePresence>
    </m.li>
  );
}

/** How a run ended and when, what it came from, what it was asked, and what came out. */
function Summary({ item, query }: { item: ResultItem; query: string }) {
  const { t } = useTranslation('workspace');
  const { t: again } = useTranslation('rerun');
  const dayText = useDayText();
  const { ofItem } = useOutcomeText();
  const status = statusNames[item.status];
  const { limited, marks } = historyDetails(item);
  const ended = t(limited ? 'endedAtBudget' : `history.status.${status}`);
  const outcome = shortOutcome(item.summary, status === 'processing' ? '' : item.finalResult);
  return (
    <>
      <span className={styles.top}>
        <span className={styles.status}>
          <OutcomeGlyph outcome={status} size={15} />
          {status === 'completed' ? ofItem(ended, marks) : ended}
        </span>
        <span className={styles.when}>{dayText(item.createdAt)}</span>
        <ChevronDown size={15} className={styles.chevron} aria-hidden />
      </span>
      {marks.length > 0 && (
        <span className={styles.outcome}>
          <StepMarkBadges marks={marks} />
        </span>
      )}
      {item.forkedAt && <span className={styles.outcome}>↳ {again(item.parentExecutionId ? 'forkOf' : 'forkOfRemoved')}</span>}
      {item.trigger && (
        <Suspense fallback={null}>
          <StartedBy name={item.trigger.name} />
        </Suspense>
      )}
      {item.followsExecutionId && <span className={styles.outcome}>↳ {again('followUpOf')}</span>}
      <strong className={styles.request}>
        <Marked text={shortRequest(item.userRequest)} query={query} />
      </strong>
      {outcome && (
        <span className={styles.outcome}>
          <Marked text={outcome} query={query} />
        </span>
      )}
    </>
  );
}

/** While a run is chosen for a comparison: compares the item's run with the one chosen first. The older run is on the left. */
function CompareWithThis({ item: { pipelineExecutionId, createdAt, status } }: { item: ResultItem }) {
  const { t } = useTranslation('rerun');
  const { panels, show } = usePanels();
  const { compareFrom } = panels;
  const first = useWorkspace(({ history }) => history.items.find((other) => other.pipelineExecutionId === compareFrom)?.createdAt ?? null);
  if (compareFrom === null || !pipelineExecutionId || pipelineExecutionId === compareFrom || status === resultStatus.processing)
    return null;
  const [left, right] = first !== null && first > createdAt ? [pipelineExecutionId, compareFrom] : [compareFrom, pipelineExecutionId];
  return (
    <div className={styles.choose}>
      <Button size="s" variant="primary" onClick={() => show({ compareFrom: null, compare: { kind: 'runs', left, right } })}>
        {t('compareThis')}
      </Button>
    </div>
  );
}
