import { useId, useMemo, useState } from 'react';
import { providerModels } from '../../../../contract/agent.ts';
import { type Fork, type ForkRequest, maxTriedModels } from '../../../../contract/executions/fork.ts';
import { innermostRound } from '../../../model/card-view.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { Segmented } from '../../../ui/controls/fields/segmented.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import panel from '../panel.module.css';
import { type RerunTarget, usePanels } from '../panels.tsx';
import { costRangeText } from './cost-text.ts';
import styles from './rerun.module.css';
import { useFocusOnOpen } from './use-focus-on-open.ts';
import { useTints } from './use-tints.ts';

const order = ['again', 'removed', 'kept'] as const;

/** What would run again, on the canvas and in figures, before it is started. */
export function RerunBar({ target }: { target: RerunTarget }) {
  const { t } = useTranslation('rerun');
  const { show } = usePanels();
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const id = useId();
  const frame = useFocusOnOpen();
  const [step, setStep] = useState(target.step);
  const [text, setText] = useState(target.step?.result ?? '');
  const [graph, setGraph] = useState<'then' | 'now'>(target.step ? 'then' : 'now');
  const [models, setModels] = useState<string[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [starting, setStarting] = useState(false);
  const provider = useWorkspace((state) => (step ? state.agents.byId[step.agentId]?.apiConfiguration.providerType : undefined)) ?? 'openai';
  const place = step && { stepId: step.stepId, round: step.round, item: step.item };
  const isEdit = target.mode === 'edit';
  // The words of an edit decide only which case it chooses: the preview has those that were there at first.
  const asked: ForkRequest = isEdit && place ? { edits: [{ ...place, result: target.step?.result ?? '' }], graph } : { from: place, graph };
  const preview = useRemoteData('previewFork', [target.executionId, asked], JSON.stringify([target.executionId, asked]));
  const fork = preview.value;
  const tints = useMemo(
    () =>
      fork?.steps.map(({ nodeId, state }) => ({
        nodeId,
        tint: state === 'reused' ? ('kept' as const) : state === 'gone' ? ('removed' as const) : ('again' as const),
      })) ?? null,
    [fork],
  );
  useTints(tints, order);
  const close = () => show({ rerun: null });

  const start = async () => {
    setStarting(true);
    setProblem(null);
    if (target.mode === 'try' && place && step) {
      const runs: { executionId: string; model: string }[] = [];
      for (const model of models) {
        const request: ForkRequest = { from: place, graph: 'then', onlyStep: true, model: { providerType: provider, model } };
        const outcome = await dispatch({ type: 'run.fork', executionId: target.executionId, request, isTried: true });
        if (!outcome.ok) {
          setProblem(outcome.error);
          break;
        }
        runs.push({ executionId: outcome.value?.executionId ?? '', model });
      }
      if (runs.length > 0)
        show({ rerun: null, compare: { kind: 'tried', original: target.executionId, name: step.name, step: place, runs } });
    } else {
      const request: ForkRequest = isEdit && place ? { edits: [{ ...place, result: text }], graph } : asked;
      const outcome = await dispatch({ type: 'run.fork', executionId: target.executionId, request });
      if (outcome.ok) close();
      else setProblem(outcome.error);
    }
    setStarting(false);
  };

  const runsSomething = fork?.steps.some(({ state }) => state === 'rerun' || state === 'new') ?? false;
  const hasGone = fork?.steps.some(({ reason }) => reason === 'agentRemoved') ?? false;
  const title = step ? t(`title.${target.mode}`, { name: step.name }) : t('title.changed');
  const shown = problem ?? preview.problem;
  const canStart = runsSomething && !hasGone && (target.mode !== 'try' || models.length > 0) && (!isEdit || text !== target.step?.result);
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
      {step && <WhichRun executionId={target.executionId} step={step} onChange={setStep} isFixed={isEdit} />}
      {isEdit && (
        <TextArea label={t('result')} value={text} rows={5} maxLength={100_000} onChange={(event) => setText(event.target.value)} />
      )}
      {target.mode === 'try' ? (
        <fieldset className={styles.models}>
          <legend>{t('models')}</legend>
          {providerModels[provider].map(({ name }) => (
            <label key={name} htmlFor={`${id} ${name}`}>
              <Checkbox
                id={`${id} ${name}`}
                checked={models.includes(name)}
                disabled={!models.includes(name) && models.length >= maxTriedModels}
                onChange={({ target: { checked } }) => setModels(checked ? [...models, name] : models.filter((one) => one !== name))}
              />
              {name}
            </label>
          ))}
        </fieldset>
      ) : (
        <Segmented
          label={t('graph.label')}
          value={graph}
          onChange={setGraph}
          options={(['then', 'now'] as const).map((value) => ({ value, label: t(`graph.${value}`) }))}
        />
      )}
      <Summary fork={fork} isLoading={preview.loading} />
      {shown && (
        <p className={styles.problem} role="alert">
          {problemText(shown)}
        </p>
      )}
      <div className={styles.actions}>
        <Button size="s" variant="ghost" onClick={close}>
          {t('cancel')}
        </Button>
        <Button size="s" variant="primary" busy={starting} disabled={!canStart || preview.loading} onClick={() => void start()}>
          {t(target.mode === 'try' ? 'startTry' : 'start')}
        </Button>
      </div>
    </section>
  );
}

type Step = NonNullable<RerunTarget['step']>;

/** The runs of the step in rounds and for items, if it has several in the shown run. */
function WhichRun({
  executionId,
  step,
  onChange,
  isFixed,
}: {
  executionId: string;
  step: Step;
  onChange: (step: Step) => void;
  isFixed: boolean;
}) {
  const { t } = useTranslation('rerun');
  const run = useWorkspace((state) => (state.run.execution?.id === executionId ? state.run.steps : null));
  const own = run?.find(({ stepId }) => stepId === step.stepId);
  const runs = run?.filter(({ nodeId, startedAt }) => nodeId === own?.nodeId && startedAt !== null) ?? [];
  if (isFixed || runs.length < 2) return null;
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
        if (chosen) onChange({ ...step, stepId, round: chosen.round ?? 0, item: chosen.item ?? 0, result: chosen.result ?? '' });
      }}
    />
  );
}

function Summary({ fork, isLoading }: { fork: Fork | null; isLoading: boolean }) {
  const { t, language } = useTranslation('rerun');
  if (!fork) return <p className={styles.summary}>{isLoading ? t('loading') : ''}</p>;
  const count = (...states: string[]) => fork.steps.filter(({ state }) => states.includes(state)).length;
  const [kept, again, gone] = [count('reused'), count('rerun', 'new'), count('gone')];
  const cost = costRangeText(fork.cost, language);
  const [min, max] = [fork.tokens.min, fork.tokens.max].map((value) => value.toLocaleString(language)) as [string, string];
  const tokens = min === max ? t('tokensSame', { amount: max }) : t('tokens', { min, max });
  return (
    <>
      <p className={styles.summary} role="status" data-testid="rerun-summary">
        <span data-tint="kept">{t('summary.kept', { count: kept })}</span>
        <span data-tint="again">{t('summary.again', { count: again })}</span>
        {gone > 0 && <span data-tint="removed">{t('summary.gone', { count: gone })}</span>}
        {again > 0 && <span>{tokens}</span>}
        {again > 0 && cost && <span>{cost}</span>}
        {again > 0 && fork.isCostUnknown && <span>{t('unknownCost')}</span>}
        {again === 0 && <span>{t('nothing')}</span>}
      </p>
      <details className={styles.steps}>
        <summary>{t('steps')}</summary>
        <ul>
          {fork.steps.map(({ stepId, name, round, item, state, reason }) => (
            <li key={`${stepId} ${round} ${item}`} data-tint={state === 'reused' ? 'kept' : state === 'gone' ? 'removed' : 'again'}>
              <strong>{name}</strong>
              {round > 0 && ` · ${t('run', { round: innermostRound(round) + 1 })}`}
              {item > 0 && ` · ${t('item', { item })}`}
              <span>{`${t(`state.${state}`)}, ${t(`reason.${reason}`)}`}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
