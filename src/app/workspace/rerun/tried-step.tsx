import { useCallback, useEffect, useRef, useState } from 'react';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';
import type { TriedTarget } from '../frame/panels.tsx';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import { holdTrial, keepTrial } from './kept-trial.ts';
import styles from './rerun.module.css';
import { SideFigures } from './side-figures.tsx';

/** How often a step that is tried is read until it has ended (ms). */
const triedPauseMs = 1_500;

function isOver(status: string | undefined): boolean {
  return status === 'paused' || status === 'completed' || status === 'failed' || status === 'cancelled';
}

type TriedProps = Omit<TriedTarget, 'kind' | 'name'> & { onClose: () => void };

/** The results of one step by the original model and by others, beside each other. */
export function TriedStep({ original, step, runs, problem: notTried, onClose }: TriedProps) {
  const { t } = useTranslation('rerun');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  /** The trial's own project, also while another one opens. */
  const projectId = useRef(useWorkspace((state) => state.project?.id ?? null));
  const [problem, setProblem] = useState<Problem | null>(notTried ?? null);
  const forget = useCallback(() => {
    if (projectId.current !== null) keepTrial(projectId.current, null, Date.now());
  }, []);
  /** The runs wait paused, so closing the panel stops them. Those that could not be stopped are shown again when the project is opened. */
  const undecided = useRef<string[]>(runs.map((run) => run.executionId));
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      // A moment later: strict mode removes each component once and puts it back.
      leaving.current = setTimeout(() => {
        if (undecided.current.length === 0) return;
        void dispatch({ type: 'run.chooseTried', executionId: null, others: undecided.current }).then(({ ok }) => ok && forget());
      });
    };
  }, [dispatch, forget]);
  useEffect(() => holdTrial({ runs }), [runs]);
  const choose = async (executionId: string | null) => {
    const others = runs.flatMap((run) => (run.executionId === executionId ? [] : run.executionId));
    const outcome = await dispatch({ type: 'run.chooseTried', executionId, others });
    if (!outcome.ok) {
      setProblem(outcome.error);
      return;
    }
    undecided.current = [];
    forget();
    onClose();
  };
  const before = useRead('execution.step', { params: { id: original, stepId: step.stepId } });
  return (
    <>
      <div className={styles.columns}>
        <article>
          <h3>{[t('original'), before.value?.simulated ? '' : before.value?.model].filter(Boolean).join(' · ')}</h3>
          {before.problem && <p className={styles.problem}>{problemText(before.problem)}</p>}
          {before.value?.simulated && <SimulatedBadge />}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <div className={styles.result} tabIndex={0}>
            <LazyMarkdown text={before.value?.result ?? ''} below={3} />
          </div>
        </article>
        {runs.map((run) => (
          <TriedRun key={run.executionId} {...{ original, run }} stepId={step.stepId} onChoose={() => void choose(run.executionId)} />
        ))}
      </div>
      <ProblemNote problem={problem} className={styles.problem} />
      <div className={styles.actions}>
        <Button size="s" variant="ghost" onClick={() => void choose(null)}>
          {t('stopAll')}
        </Button>
      </div>
    </>
  );
}

type TriedRunProps = {
  original: string;
  /** The step of the original that is tried. */
  stepId: string;
  run: TriedTarget['runs'][number];
  onChoose: () => void;
};

function TriedRun({ original, stepId: originalStepId, run, onChoose }: TriedRunProps) {
  const { t } = useTranslation('rerun');
  const problemText = useProblemText();
  const compared = useRead(
    'execution.compare',
    { query: { left: original, right: run.executionId } },
    { pauseMs: (read) => (isOver(read?.right.status) ? null : triedPauseMs) },
  );
  const side = compared.value?.steps.find(({ left }) => left?.stepId === originalStepId)?.right ?? null;
  const status = compared.value?.right.status;
  const stepId = isOver(status) ? side?.stepId : undefined;
  const tried = useRead('execution.step', stepId === undefined ? null : { params: { id: run.executionId, stepId } });
  const answer = tried.value ? (tried.value.result ?? tried.value.error?.message ?? '') : null;
  const text = tried.problem ? problemText(tried.problem) : answer;
  return (
    <article data-testid="tried-run">
      <p className="visually-hidden" role="status">
        {text === null ? '' : t('triedDone', { model: run.model })}
      </p>
      <h3>{run.model}</h3>
      {side && text !== null && (
        <p className={styles.summary}>
          {/* The heading names the model. */}
          <SideFigures side={{ ...side, model: null }} label="" />
        </p>
      )}
      {compared.problem && <p className={styles.problem}>{problemText(compared.problem)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div className={styles.result} tabIndex={0} data-testid="tried-result">
        {text === null ? t(compared.value?.right.openQuestions ? 'triedAsks' : 'working') : <LazyMarkdown text={text} below={3} />}
      </div>
      <Button size="s" disabled={text === null} onClick={onChoose}>
        {t('choose')}
      </Button>
    </article>
  );
}
