import { memo, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { clock } from '../../../../ui/i18n/duration.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Brain } from '../../../../ui/icons/icons.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { LoadProblem } from '../../../../ui/loading/remote-state.tsx';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { EmptyState } from '../../lists/empty-state.tsx';
import { LazyMarkdown } from '../../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { stepElapsedMs } from '../../run/run-figures.ts';
import { useShownRun } from '../../run/use-shown-run.ts';
import { formatClock } from '../../time/format-moment.ts';
import { useRunNow } from '../../time/use-run-now.ts';
import styles from './thinking.module.css';
import type { ThoughtRow } from './thought-rows.ts';
import type { Thoughts } from './use-thoughts.ts';

/** The agents' thoughts, and the streamed text of the running step. R46.01 */
export const Thinking = memo(ThinkingNow);

function ThinkingNow({ thoughts: { rows, problem, again, loadOlder, loadingOlder } }: { thoughts: Thoughts }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  const { steps } = useShownRun();
  const active = steps.filter((step) => step.status === 'running');
  const list = useRef<HTMLDivElement>(null);
  useStaysPut(list, rows[0]?.thought.id);
  const failure = problem && (
    <LoadProblem className={styles.problem} text={problemText(problem)} retry={t('words:repeat')} onRetry={again} />
  );
  if (active.length === 0 && rows.length === 0) {
    return (
      failure || (
        <EmptyState icon={<Brain size={19} aria-hidden />} title={t('thinking.emptyTitle')}>
          {t('thinking.empty')}
        </EmptyState>
      )
    );
  }
  return (
    <div
      ref={list}
      className={styles.thinking}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      data-testid="thinking"
      onScroll={({ currentTarget }) => currentTarget.scrollTop < nearTop && !problem && loadOlder?.()}
    >
      {failure}
      {loadOlder && (
        <p className={styles.older}>
          <Button size="s" variant="ghost" busy={loadingOlder} onClick={loadOlder}>
            {t('thinking.older')}
          </Button>
        </p>
      )}
      {rows.map((row) => (
        <KeptThought key={row.thought.id} row={row} />
      ))}
      {active.map((step) => (
        <StepThought key={step.stepId} step={step} />
      ))}
    </div>
  );
}

/** The distance from the top at which older thoughts are loaded (px). */
const nearTop = 40;

/** Keeps the scroll position when older thoughts are added above. */
function useStaysPut(list: RefObject<HTMLDivElement | null>, firstId: string | undefined): void {
  const before = useRef({ firstId, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    if (before.current.firstId !== firstId && element.scrollTop < nearTop)
      element.scrollTop += element.scrollHeight - before.current.height;
    before.current = { firstId, height: element.scrollHeight };
  });
}

function KeptThought({ row: { thought, title, role, step } }: { row: ThoughtRow }) {
  const { t, language } = useTranslation('console');
  return (
    <article className={styles.step} data-testid="thought">
      <header className={styles.head}>
        <RoleTile name={roleIconName(role)} hue={roleHue(role)} />
        <h2>{title}</h2>
        {step?.simulated && <SimulatedBadge />}
        <span className={styles.figures}>
          {step && <>{t('details.step', { number: step.orderIndex + 1 })} · </>}
          <time dateTime={thought.createdAt}>{formatClock(thought.createdAt, language)}</time>
        </span>
      </header>
      <LazyMarkdown text={thought.content} />
    </article>
  );
}

function StepThought({ step }: { step: StepRun }) {
  const { t } = useTranslation('console');
  const text = useWorkspace((state) => state.run.partial[step.stepId] ?? '');
  const shown = useDeferredValue(text);
  const now = useRunNow(true, step.startedAt);
  const elapsed = stepElapsedMs(step, now);
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new piece of text moves the end
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <article className={styles.step}>
      <header className={styles.head}>
        <RoleTile name={roleIconName(step.role)} hue={roleHue(step.role)} />
        <h2>{step.name}</h2>
        <span className={styles.state}>
          <Spinner size={13} /> {t('thinking.writing')}
        </span>
        {step.simulated && <SimulatedBadge />}
        <span className={styles.figures}>
          {text && t('thinking.characters', { count: text.length })}
          {elapsed !== null && ` · ${clock(elapsed)}`}
        </span>
      </header>
      {shown ? <LazyMarkdown text={shown} /> : <p className={styles.waiting}>{t('thinking.waiting')}</p>}
      <div ref={end} />
    </article>
  );
}
