import { Suspense } from 'react';
import { participationKinds } from '../../../model/run/participation/participation-state.ts';
import type { RunState } from '../../../model/workspace-state.ts';
import { clock, durationText } from '../../../ui/i18n/duration.ts';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { BudgetBar } from '../budgets/budget-bar.tsx';
import { OutcomeGlyph } from '../marks/outcome-glyph.tsx';
import { useRunNow } from '../time/use-run-now.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import { CanvasErrors } from './canvas-errors.tsx';
import styles from './run-control.module.css';
import { type RunFigures, runActiveMs, runElapsedMs, runFigures } from './run-figures.ts';
import { RunLine } from './run-line.tsx';
import { RunSegments } from './run-segments.tsx';
import { useOutcomeText } from './use-outcome-text.ts';
import { useRunErrors } from './use-run-errors.ts';
import { useShownRun } from './use-shown-run.ts';
import { useStartChoice } from './use-start-run.ts';

const TakingPart = lazyPart(() => import('./taking-part.tsx').then((file) => file.TakingPart), AbsentUntilOnline);
const SimulatedNote = lazyPart(() => import('../connections/simulated-note.tsx').then((file) => file.SimulatedNote), AbsentUntilOnline);

/** The text beside Start before the first run. */
export function Readiness() {
  const { t } = useTranslation('workspace');
  const { account, demo } = useWorkspaceContext();
  const agents = useNodeCounts((counts) => counts.agents);
  const isPartial = useIsPartial();
  const isIdle = useWorkspace(({ participation: { taking, of } }) => of > 0 && taking === 0);
  const reports = useWorkspace(({ participation }) => participation.reports);
  const isRefused = reports.some(({ kind }) => participationKinds[kind] === 'refuses');
  // What the graph of the run is refused for stands among its reports, with the cures.
  const errors = useRunErrors().filter(({ code }) => !(isRefused && code.startsWith('graph.')));
  if (agents === 0) return <p className={styles.advice}>{t('run.noAgents')}</p>;
  const line = (
    <p className={styles.line}>
      <strong>{t(errors.length === 0 && !isIdle && !isRefused ? 'run.ready' : 'run.notReady')}</strong>
      <Separator />
      {errors.length > 0 && <CanvasErrors errors={errors} />}
      {errors.length > 0 && isPartial && <Separator />}
      {isPartial ? <Part /> : errors.length === 0 && t('run.agents', { count: agents })}
    </p>
  );
  if (!demo) {
    return (
      <>
        {line}
        <Suspense fallback={null}>{account && <SimulatedNote />}</Suspense>
      </>
    );
  }
  // The demonstration starts by itself: the control already has its later size, so that nothing moves.
  return (
    <>
      <div className={styles.head}>{line}</div>
      <div className={styles.segments} aria-hidden>
        {Array.from({ length: agents }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the elements are equal
          <span key={at} className={styles.segment} />
        ))}
      </div>
    </>
  );
}

/** Whether the next run leaves something out by mistake, or does more than it seems to. */
function useIsPartial(): boolean {
  const { demo } = useWorkspaceContext();
  return useWorkspace(({ participation: { taking, of, reports } }) => !demo && of > 0 && (taking < of || reports.length > 0));
}

function Part() {
  return (
    <Suspense fallback={null}>
      <TakingPart />
    </Suspense>
  );
}

/** The progress of the run, and an explanation while it pauses. R44.01 */
export function Progress() {
  const { t, language } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const { readOnly } = useWorkspaceContext();
  const isPartial = useIsPartial();
  const errors = useRunErrors();
  const run = useShownRun();
  const now = useRunNow(run.outcome === null, run.execution?.startedAt);
  const figures = runFigures(run);
  /** Of a run that failed without a failed step, such as before a list. */
  const failure = run.outcome === 'failed' ? (run.error ?? run.execution?.error ?? null) : null;
  const elapsed = runElapsedMs(run, now);
  const total = elapsed === null ? null : run.outcome ? durationText(elapsed, language) : clock(elapsed);
  const activeMs = run.outcome ? runActiveMs(run, now) : null;
  const active = activeMs === null ? null : durationText(activeMs, language);
  return (
    <>
      <div className={styles.head}>
        {run.outcome ? (
          <p className={styles.line}>
            <Ended outcome={run.outcome} isLimited={run.execution?.limited ?? false} lacks={figures.lacks} />
            <Separator />
            {run.outcome === 'failed' && figures.current ? (
              <span className={styles.who}>{figures.current.name}</span>
            ) : (
              <span className={styles.who}>
                {failure ? problemText(failure) : t('run.steps', { done: figures.done, count: figures.total })}
              </span>
            )}
          </p>
        ) : (
          <RunLine />
        )}
        {total && (
          <span className={run.outcome ? styles.figure : styles.total}>
            {active !== null && active !== total ? t('run.times', { active, total }) : t('run.total', { time: total })}
          </span>
        )}
      </div>
      {run.outcome && !readOnly && errors.length > 0 && (
        <p className={styles.hint}>
          <CanvasErrors errors={errors} />
        </p>
      )}
      {run.outcome && !readOnly && (isPartial ? <Part /> : <NextTask />)}
      {run.phase === 'pausing' && <p className={styles.hint}>{t('run.pausingHint')}</p>}
      {run.phase === 'paused' && <p className={styles.hint}>{t('run.pausedHint')}</p>}
      <RunSegments segments={figures.segments} />
      <BudgetBar />
    </>
  );
}

type EndedProps = { outcome: NonNullable<RunState['outcome']>; isLimited: boolean; lacks: RunFigures['lacks'] };

/** How the run ended. One with half an answer is not plainly finished: the gravest lack is shown, and all of them on hover. M2.27 */
function Ended({ outcome, isLimited, lacks }: EndedProps) {
  const { t } = useTranslation('workspace');
  const { ofRun } = useOutcomeText();
  const isWhole = outcome !== 'completed' || lacks.length === 0;
  const end = t(isLimited ? 'run.limited' : outcome === 'completed' ? 'run.finished' : `run.${outcome}`);
  return (
    <span className={styles.outcome} data-outcome={outcome} data-limited={isLimited || !isWhole || undefined}>
      <OutcomeGlyph outcome={outcome} />
      <strong title={isWhole ? undefined : ofRun(end, lacks)}>{isWhole ? end : ofRun(end, lacks.slice(0, 1))}</strong>
    </span>
  );
}

/** The task that the button starts. R24 */
function NextTask() {
  const { t } = useTranslation('workspace');
  const choice = useStartChoice();
  if (choice.kind !== 'run') return null;
  return (
    <p className={`${styles.hint} ${styles.task}`} title={choice.task} data-testid="next-task">
      {t(choice.again ? 'run.againTask' : 'run.nextTask', { task: choice.task })}
    </p>
  );
}

function Separator() {
  return (
    <span className={styles.dot} aria-hidden>
      ·
    </span>
  );
}
