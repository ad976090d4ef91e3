import type { RunState } from '../../../model/workspace-state.ts';
import { clock, durationText } from '../../../ui/i18n/duration.ts';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { OutcomeGlyph } from '../marks/outcome-glyph.tsx';
import { useOutcomeText } from '../marks/use-outcome-text.ts';
import { useRunNow } from '../time/use-run-now.ts';
import { BudgetBar } from './budget-bar.tsx';
import styles from './run-control.module.css';
import { type RunFigures, runElapsedMs, runFigures } from './run-figures.ts';
import { RunLine } from './run-line.tsx';
import { RunSegments } from './run-segments.tsx';
import { useShownRun } from './use-shown-run.ts';

/** The progress of the run, and an explanation while it pauses. R44.01 */
export function Progress() {
  const { t, language } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const run = useShownRun();
  const now = useRunNow(run.outcome === null, run.execution?.startedAt);
  const figures = runFigures(run);
  /** Of a run that failed without a failed step, such as before a list. */
  const failure = run.outcome === 'failed' ? (run.error ?? run.execution?.error ?? null) : null;
  const elapsed = runElapsedMs(run, now);
  const matter =
    run.outcome === 'failed' && figures.current
      ? figures.current.name
      : failure
        ? problemText(failure)
        : run.execution?.initialTask.trim() || t('run.steps', { done: figures.done, count: figures.total });
  return (
    <>
      <div className={styles.head}>
        {run.outcome ? (
          <p className={styles.line}>
            <Ended outcome={run.outcome} isLimited={run.execution?.limited ?? false} lacks={figures.lacks} />
            <Separator />
            <span className={styles.who} title={matter ?? undefined}>
              {matter}
            </span>
          </p>
        ) : (
          <RunLine />
        )}
        {elapsed !== null && (
          <span className={run.outcome ? styles.figure : styles.total}>
            {run.outcome ? durationText(elapsed, language) : t('run.total', { time: clock(elapsed) })}
          </span>
        )}
      </div>
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
  const end = t(isLimited ? 'endedAtBudget' : outcome === 'completed' ? 'run.finished' : `run.${outcome}`);
  return (
    <span className={styles.outcome} data-outcome={outcome} data-limited={isLimited || !isWhole || undefined}>
      <OutcomeGlyph outcome={outcome} />
      <strong title={isWhole ? undefined : ofRun(end, lacks)}>{isWhole ? end : ofRun(end, lacks.slice(0, 1))}</strong>
    </span>
  );
}

function Separator() {
  return (
    <span className={styles.dot} aria-hidden>
      ·
    </span>
  );
}
