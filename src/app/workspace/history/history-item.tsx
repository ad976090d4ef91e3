import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { ResultItem } from '../../../../contract/executions/result.ts';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { roleHue } from '../../../model/agents/roles.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown, FileText, Rewind, Trash2 } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { listItem, unfolding } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { OutcomeGlyph } from '../marks/outcome-glyph.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { StepMarkBadges } from '../marks/step-mark-badges.tsx';
import { usePanels } from '../panels.tsx';
import { useOutcomeText } from '../run/use-outcome-text.ts';
import { useDayText } from '../time/use-day-text.ts';
import { ResultDialog, type ResultDialogProps } from '../windows/result-dialog.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './history.module.css';
import { historyDetails } from './history-details.ts';
import { matchParts } from './match-parts.ts';
import { shortOutcome, shortRequest } from './short-message.ts';

const FollowUp = lazyPart(() => import('../rerun/follow-up.tsx').then((file) => file.FollowUp));

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
  const { t, language } = useTranslation('workspace');
  const { t: again } = useTranslation('rerun');
  const { readOnly } = useWorkspaceContext();
  const dayText = useDayText();
  const dispatch = useDispatch();
  const { panels, show } = usePanels();
  const id = useId();
  const [reading, setReading] = useState(false);
  const [asking, setAsking] = useState(false);
  // The list may hold a run that this page follows: its segments are known.
  const steps = useWorkspace((state) => (state.run.execution?.id === item.pipelineExecutionId ? state.run.steps : null));
  const open = panels.historyItemId === item.id;
  const frame = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (open) frame.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const status = statusNames[item.status];
  const details = historyDetails(item);
  const costText = useCostText();
  const { ofItem } = useOutcomeText();
  const ended = t(details.limited ? 'endedAtBudget' : `history.status.${status}`);
  const simulated = details.simulated || (steps?.some((step) => step.simulated) ?? false);
  const request = shortRequest(item.userRequest);
  const outcome = shortOutcome(item.summary, status === 'processing' ? '' : item.finalResult);
  return (
    <m.li
      {...useAppearing(listItem)}
      ref={frame}
      className={styles.item}
      style={depth > 0 ? { marginInlineStart: Math.min(depth, 4) * 16 } : undefined}
      data-depth={depth || undefined}
      data-open={open || undefined}
      data-status={status}
      data-testid="history-item"
    >
      <button
        type="button"
        className={styles.face}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => show({ historyItemId: open ? null : item.id })}
      >
        <span className={styles.top}>
          <span className={styles.status}>
            <OutcomeGlyph outcome={status} size={15} />
            {status === 'completed' ? ofItem(ended, details.marks) : ended}
          </span>
          <span className={styles.when}>{dayText(item.createdAt)}</span>
          <ChevronDown size={15} className={styles.chevron} aria-hidden />
        </span>
        {details.marks.length > 0 && (
          <span className={styles.outcome}>
            <StepMarkBadges marks={details.marks} />
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
          <Marked text={request} query={query} />
        </strong>
        {outcome && (
          <span className={styles.outcome}>
            <Marked text={outcome} query={query} />
          </span>
        )}
      </button>
      <CompareWithThis item={item} />
      <AnimatePresence initial={false}>
        {open && (
          <Details key="details">
            <div id={id} className={styles.details}>
              <dl>
                <div>
                  <dt>{t('history.type')}</dt>
                  <dd>{item.agentsCount > 1 ? t('history.teamRun') : t('history.dialogRun')}</dd>
                </div>
                <div>
                  <dt>{t('words:time')}</dt>
                  <dd>{details.executionTimeMs === null ? t('duration.unknown') : durationText(details.executionTimeMs, language)}</dd>
                </div>
                <div>
                  <dt>{t('history.agents')}</dt>
                  <dd>{item.agentsCount}</dd>
                </div>
                <div>
                  <dt>{t('history.steps')}</dt>
                  <dd>{item.stepsCount}</dd>
                </div>
                {details.totalTokens !== null && (
                  <div>
                    <dt>{t('words:tokens')}</dt>
                    <dd>{details.totalTokens.toLocaleString(language)}</dd>
                  </div>
                )}
                {details.cost !== null && (
                  <div>
                    <dt>{t('words:cost')}</dt>
                    <dd>{costText(details.cost)}</dd>
                  </div>
                )}
              </dl>
              {steps && (
                <ol className={styles.segments} aria-hidden>
                  {steps.map((step) => (
                    <li
                      key={step.stepId}
                      data-hue={roleHue(step.role)}
                      data-status={step.status}
                      style={{ flexGrow: Math.max(1, step.durationMs ?? 1) }}
                    />
                  ))}
                </ol>
              )}
              <div className={styles.actions}>
                <Button
                  size="s"
                  icon={<FileText size={15} aria-hidden />}
                  disabled={status === 'processing'}
                  onClick={() => setReading(true)}
                >
                  {t('history.showResult')}
                </Button>
                <ReplayButton item={item} />
                {status !== 'processing' && !readOnly && (
                  <Button size="s" onClick={() => show({ rerun: { executionId: item.pipelineExecutionId, mode: 'from', step: null } })}>
                    {again('words:runAgain')}
                  </Button>
                )}
                <CompareButtons item={item} />
                {item.publishedBranch && !readOnly && (
                  <Suspense fallback={null}>
                    <FollowUp executionId={item.pipelineExecutionId} />
                  </Suspense>
                )}
                <Button size="s" variant="ghost" icon={<Trash2 size={15} aria-hidden />} onClick={() => setAsking(true)}>
                  {t('history.remove')}
                </Button>
                {simulated && <SimulatedBadge />}
              </div>
              {details.tags.length > 0 && (
                <ul className={styles.tags}>
                  {details.tags.map((tag) => (
                    <li key={tag}>
                      <Marked text={tag} query={query} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </Details>
        )}
      </AnimatePresence>
      <RunResult item={item} open={reading} title={request} simulated={simulated} marks={details.marks} onClose={() => setReading(false)} />
      <ConfirmDialog
        open={asking}
        title={t('history.removeTitle')}
        action={t('words:delete')}
        destructive
        onConfirm={() => void dispatch({ type: 'history.remove', id: item.id }).then((outcome) => outcome.ok && onRemoved(item.id))}
        onClose={() => setAsking(false)}
      >
        <p>{t('history.removeText', { request })}</p>
      </ConfirmDialog>
    </m.li>
  );
}

/** Compares a run with another one: a fork with its original, and each run with one that is then chosen in the list. */
function CompareButtons({ item: { pipelineExecutionId, parentExecutionId, status } }: { item: ResultItem }) {
  const { t } = useTranslation('rerun');
  const { demo } = useWorkspaceContext();
  const { show } = usePanels();
  const canChoose = useWorkspace(({ history }) => history.items.length > 1);
  if (!pipelineExecutionId || demo || status === resultStatus.processing) return null;
  return (
    <>
      {parentExecutionId && (
        <Button size="s" onClick={() => show({ compare: { kind: 'runs', left: parentExecutionId, right: pipelineExecutionId } })}>
          {t('compare')}
        </Button>
      )}
      {canChoose && (
        <Button size="s" onClick={() => show({ compareFrom: pipelineExecutionId, historyItemId: null })}>
          {t('compareWith')}
        </Button>
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

/** Plays the run of an item again. An item that a client has written may have none. */
function ReplayButton({ item: { pipelineExecutionId } }: { item: ResultItem }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  if (!pipelineExecutionId) return null;
  return (
    <Button
      size="s"
      icon={<Rewind size={15} aria-hidden />}
      onClick={() => void dispatch({ type: 'replay.open', executionId: pipelineExecutionId })}
    >
      {t('history.replay')}
    </Button>
  );
}

/** The details below a history item. */
function Details({ children }: { children: ReactNode }) {
  return (
    <m.div {...useAppearing(unfolding)} className={styles.fold}>
      {children}
    </m.div>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  return matchParts(text, query).map((part) =>
    part.match ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
  );
}

type RunResultProps = Pick<ResultDialogProps, 'open' | 'title' | 'simulated' | 'marks' | 'onClose'> & { item: ResultItem };

/** The whole result of a run. The history has only the beginning of a long one; the window reads the whole. */
function RunResult({ item, ...shown }: RunResultProps) {
  const input = shown.open && item.finalResultIsCut ? { params: { id: item.id } } : null;
  const { value, problem, again } = useRead('result.get', input, { when: item.updatedAt, about: item.id });
  const text = item.finalResultIsCut ? (value?.finalResult ?? null) : item.finalResult;
  return <ResultDialog {...shown} text={text} problem={problem} onRetry={again} />;
}
