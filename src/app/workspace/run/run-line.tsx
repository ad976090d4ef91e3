import type { StepRun } from '../../../../contract/executions/execution.ts';
import { clock } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useRunNow } from '../time/use-run-now.ts';
import styles from './run-control.module.css';
import { runFigures, stepElapsedMs } from './run-figures.ts';
import { useShownRun } from './use-shown-run.ts';

/** One line of an active run: step, agent, duration; during a pause the next agent. */
export function RunLine() {
  const asked = useWorkspace((state) => state.run.execution?.openQuestions ?? 0);
  return (
    <>
      <StepLine hasQuestions={asked > 0} />
      {asked > 0 && <QuestionsLine count={asked} />}
    </>
  );
}

/** Leads to the questions of the run. */
function QuestionsLine({ count }: { count: number }) {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const first = useWorkspace(
    ({ questions, run }) => questions.items.findLast(({ executionId }) => executionId === run.execution?.id)?.id ?? null,
  );
  return (
    <button
      type="button"
      className={styles.asks}
      data-testid="run-asks"
      onClick={() => show({ window: { kind: 'questions', questionId: count === 1 ? first : null } })}
    >
      {t('questions.line', { count })}
    </button>
  );
}

/** `hasQuestions`: the run may wait for people only. */
function StepLine({ hasQuestions }: { hasQuestions: boolean }) {
  const { t } = useTranslation('workspace');
  const run = useShownRun();
  const { current, currentNumber, total, atWork } = runFigures(run);
  const now = useRunNow(true, current?.startedAt);
  if (run.phase === 'starting' || total === 0) return <p className={styles.line}>{t('run.waiting')}</p>;
  if (atWork === 0 && hasQuestions && run.phase !== 'paused')
    return (
      <p className={styles.line} data-testid="run-line">
        <strong>{t('common:waitingForAnAnswer')}</strong>
      </p>
    );
  if (atWork > 1 && run.phase !== 'paused')
    return (
      <p className={styles.line} data-testid="run-line">
        <strong>{t('run.atWork', { count: atWork })}</strong>
        <Dot />
        <span className={styles.who}>{namesAtWork(run.steps)}</span>
      </p>
    );
  const elapsed = current ? stepElapsedMs(current, now) : null;
  return (
    <p className={styles.line} data-testid="run-line">
      <strong>{run.phase === 'paused' ? t('run.paused') : t('run.step', { number: currentNumber, total })}</strong>
      {current && (
        <>
          <Dot />
          <span className={styles.who}>{run.phase === 'paused' ? t('run.nextIs', { title: current.name }) : current.name}</span>
        </>
      )}
      {run.phase !== 'paused' && elapsed !== null && (
        <>
          <Dot />
          <span className={styles.figure}>{clock(elapsed)}</span>
        </>
      )}
    </p>
  );
}

/** More names than this do not fit on a line. */
const maxNames = 5;

/** Each card once, though it may work on several items. */
function namesAtWork(steps: readonly StepRun[]): string {
  const names = new Set<string>();
  for (const { status, name } of steps) {
    if (status !== 'running' || names.has(name)) continue;
    if (names.size === maxNames) return `${[...names].join(', ')}…`;
    names.add(name);
  }
  return [...names].join(', ');
}

function Dot() {
  return (
    <span className={styles.dot} aria-hidden>
      ·
    </span>
  );
}
