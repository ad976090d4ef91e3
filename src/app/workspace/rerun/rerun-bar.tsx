import { useEffect, useMemo, useState } from 'react';
import type { Fork, ForkRequest } from '../../../../contract/executions/fork.ts';
import { innermostRound } from '../../../model/card-view.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useBudgetDraft } from '../budgets/use-budget-draft.ts';
import { type RerunTarget, type TriedTarget, usePanels } from '../frame/panels.tsx';
import panel from '../panel.module.css';
import { FromStep } from './from-step.tsx';
import { keepTrial } from './kept-trial.ts';
import { ModelChoice } from './model-choice.tsx';
import styles from './rerun.module.css';
import { RerunBudget } from './rerun-budget.tsx';
import { type RerunEdit, RerunEdits } from './rerun-edits.tsx';
import { type RerunStep, rerunStepOf } from './rerun-step.ts';
import { RerunSummary } from './rerun-summary.tsx';
import { useFocusOnOpen } from './use-focus-on-open.ts';
import { useForkPipeline } from './use-fork-pipeline.ts';
import { usePreview } from './use-preview.ts';
import { useTints, useTintsInView } from './use-tints.ts';
import { useTriedSource } from './use-tried-source.ts';

const order = ['again', 'removed', 'kept'] as const;

/** What would run again, on the canvas and in figures, before it is started. Edits of several results are one fork. */
export function RerunBar({ target }: { target: RerunTarget }) {
  const { executionId, mode, step } = target;
  return <Bar key={`${executionId} ${mode} ${mode === 'edit' ? '' : step?.stepId}`} target={target} />;
}

function Bar({ target }: { target: RerunTarget }) {
  const { t } = useTranslation('rerun');
  const { show } = usePanels();
  const frame = useFocusOnOpen();
  const { executionId, mode } = target;
  const [step, setStep] = useState(target.step);
  const { edits, setEdits } = useEdits(target);
  const [graph, setGraph] = useState<'then' | 'now'>(target.step ? 'then' : 'now');
  const [models, setModels] = useState<string[]>([]);
  const budget = useBudgetDraft();
  const tried = useTriedSource(step?.agentId);
  const pipeline = useForkPipeline(executionId, graph === 'now' && mode !== 'try');
  const changed = edits.filter(({ step: edited, text }) => text !== edited.result);
  const base = { graph, ...(pipeline.pipelineId !== undefined && { pipelineId: pipeline.pipelineId }) };
  const asked = (given: readonly RerunEdit[]): ForkRequest =>
    mode === 'edit'
      ? { ...base, edits: given.map(({ step: of, text }) => ({ ...placeOf(of), result: text })) }
      : { ...base, from: step && placeOf(step) };
  const trial = (model?: string): ForkRequest => ({
    from: step && placeOf(step),
    graph: 'then',
    onlyStep: true,
    ...(model !== undefined && { model: { providerType: tried?.provider ?? 'openai', model } }),
  });
  const isKnown = pipeline.isReady && pipeline.problem === null;
  const trials = () => (models.length === 0 ? [trial()] : models.map(trial));
  const preview = usePreview(executionId, isKnown ? (mode === 'try' ? trials() : [asked(edits)]) : []);
  const fork = useMemo(() => (preview.fork && mode === 'try' ? stepAlone(preview.fork) : preview.fork), [preview.fork, mode]);
  useForkTints(fork);
  const close = () => show({ rerun: null });
  const begin = (chosen: RerunStep | null) => {
    setStep(chosen);
    setGraph(chosen ? 'then' : 'now');
  };
  const { starting, problem, start: startRuns } = useStartRuns(executionId);

  const start = () => {
    const own = budget.read();
    if (own === null) {
      frame.current?.querySelector<HTMLElement>('details [aria-invalid]')?.focus();
      return;
    }
    void startRuns(
      mode === 'try' && step
        ? { step, trials: models.map((model) => ({ model, request: { ...trial(model), ...own } })) }
        : { ...asked(changed), ...own },
    );
  };

  const runsSomething = fork?.steps.some(({ state }) => state === 'rerun' || state === 'new') ?? false;
  const hasGone = fork?.steps.some(({ reason }) => reason === 'agentRemoved') ?? false;
  const isChosen = mode === 'try' ? models.length > 0 : mode !== 'edit' || changed.length > 0;
  const title =
    mode === 'edit' && edits.length > 1
      ? t('title.edits', { count: edits.length })
      : step
        ? t(`title.${mode}`, { name: step.name })
        : t('title.changed');
  const shown = problem ?? pipeline.problem ?? preview.problem;
  const isLooking = !pipeline.isReady || preview.loading;
  return (
    <section
      className={`${panel.panel} ${styles.bar}`}
      ref={frame}
      tabIndex={-1}
      aria-label={title}
      data-panel
      data-testid="rerun"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <h2>{title}</h2>
      {target.step === null && <FromStep {...{ executionId, step }} onChange={begin} />}
      {target.step && step && mode !== 'edit' && <WhichRun executionId={executionId} step={step} onChange={setStep} />}
      {mode === 'edit' && <RerunEdits {...{ executionId, edits }} onChange={setEdits} />}
      {mode === 'try' ? (
        tried && <ModelChoice of={tried} chosen={models} onChange={setModels} />
      ) : (
        <Segmented
          label={t('graph.label')}
          value={graph}
          onChange={setGraph}
          options={(['then', 'now'] as const).map((value) => ({ value, label: t(`graph.${value}`) }))}
        />
      )}
      <RerunBudget {...budget.fields} />
      <RerunSummary fork={fork} models={models.length} isLoading={isLooking && shown === null} />
      <ProblemNote problem={shown} className={styles.problem} />
      <div className={styles.actions}>
        <Button size="s" variant="ghost" onClick={close}>
          {t('common:cancel')}
        </Button>
        <Button size="s" variant="primary" busy={starting} disabled={!runsSomething || hasGone || !isChosen || isLooking} onClick={start}>
          {t(mode === 'try' ? 'startTry' : 'start')}
        </Button>
      </div>
    </section>
  );
}

/** Shows on the canvas what a fork keeps, removes and runs again. */
function useForkTints(fork: Fork | null) {
  const tints = useMemo(
    () =>
      fork?.steps.map(({ nodeId, state }) => ({
        nodeId,
        tint: state === 'reused' ? ('kept' as const) : state === 'gone' ? ('removed' as const) : ('again' as const),
      })) ?? null,
    [fork],
  );
  useTints(tints, order);
  useTintsInView(tints, order);
}

/** Runs of one step with other models, which are compared. */
type Trials = { step: RerunStep; trials: readonly { model: string; request: ForkRequest }[] };

/** Starts one fork, or a trial with each model, and closes the bar when it has begun. */
function useStartRuns(executionId: string) {
  const { show } = usePanels();
  const dispatch = useDispatch();
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [starting, setStarting] = useState(false);

  const startTrials = async ({ step, trials }: Trials) => {
    const trial: TriedTarget = { kind: 'tried', original: executionId, name: step.name, step: placeOf(step), runs: [] };
    for (const { model, request } of trials) {
      const outcome = await dispatch({ type: 'run.fork', executionId, request, isTried: true });
      if (!outcome.ok) {
        setProblem(outcome.error);
        trial.problem = outcome.error;
        break;
      }
      trial.runs.push({ executionId: outcome.value?.executionId ?? '', model });
      if (projectId !== null) keepTrial(projectId, trial, Date.now());
    }
    if (trial.runs.length > 0) show({ rerun: null, compare: trial });
  };
  const startFork = async (request: ForkRequest) => {
    const outcome = await dispatch({ type: 'run.fork', executionId, request });
    if (outcome.ok) show({ rerun: null });
    else setProblem(outcome.error);
  };
  const start = async (wanted: ForkRequest | Trials) => {
    setStarting(true);
    setProblem(null);
    await ('trials' in wanted ? startTrials(wanted) : startFork(wanted));
    setStarting(false);
  };
  return { starting, problem, start };
}

/** A trial without the steps after the tried one: they wait for a choice. */
function stepAlone(fork: Fork): Fork {
  return { ...fork, steps: fork.steps.filter(({ state, reason }) => state === 'reused' || reason === 'chosen') };
}

function placeOf({ stepId, round, item }: RerunStep) {
  return { stepId, round, item };
}

/** The edited results: a step that is chosen on the canvas meanwhile is added to them. */
function useEdits({ mode, step }: RerunTarget): { edits: RerunEdit[]; setEdits: (edits: RerunEdit[]) => void } {
  const [edits, setEdits] = useState<RerunEdit[]>(() => (mode === 'edit' && step ? [{ step, text: step.result }] : []));
  useEffect(() => {
    if (mode !== 'edit' || !step) return;
    setEdits((now) => (now.some((one) => one.step.stepId === step.stepId) ? now : [...now, { step, text: step.result }]));
  }, [mode, step]);
  return { edits, setEdits };
}

/** The runs of the step in rounds and for items, if it has several in the shown run. */
function WhichRun({ executionId, step, onChange }: { executionId: string; step: RerunStep; onChange: (step: RerunStep) => void }) {
  const { t } = useTranslation('rerun');
  const run = useWorkspace((state) => (state.run.execution?.id === executionId ? state.run.steps : null));
  const own = run?.find(({ stepId }) => stepId === step.stepId);
  const runs = run?.filter(({ nodeId, startedAt }) => nodeId === own?.nodeId && startedAt !== null) ?? [];
  if (runs.length < 2) return null;
  const options = runs.map(({ stepId, round = 0, item = 0 }) => ({
    value: stepId,
    label: [t('run', { round: innermostRound(round) + 1 }), ...(item > 0 ? [t('item', { item })] : [])].join(', '),
  }));
  return (
    <Select
      label={t('which')}
      value={step.stepId}
      options={options}
      onChange={(stepId) => {
        const chosen = runs.find((one) => one.stepId === stepId);
        if (chosen) onChange(rerunStepOf(chosen));
      }}
    />
  );
}
