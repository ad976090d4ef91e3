import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Project } from '../../../../contract/project.ts';
import { isAgentCard, nameOf } from '../../../../rules/card.ts';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';
import { testedSteps } from '../../../../rules/run-graph/tested-steps.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { done, failed, type Outcome, type Problem } from '../../../model/problem.ts';
import type { documentOfCards } from '../../../model/run/plan/document-of-cards.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import { type PipelinePlan, planPipeline } from '../../../model/run/plan/pipeline-plan.ts';
import { dialogMessageOf, executionStartOf } from '../../../model/run/plan/run-payloads.ts';
import { emptyRun } from '../../../model/workspace-state.ts';
import { loadAgents } from '../agents/agent-list.ts';
import { isMissing } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadHistory } from '../history/history-list.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import { createPipelineOfCanvas, pipelineOfCanvas } from './pipeline-of-canvas.ts';
import type { RunParts } from './run-queue.ts';
import { listTooLong, refusalOf } from './run-refusal.ts';
import { warnWithoutTools } from './warn-without-tools.ts';

/** Writes to the console which steps of a planned run have links that test tests, where none will be executed. C4.06 */
async function warnWithoutTests(
  { backend, console }: Pick<EngineContext, 'backend' | 'console'>,
  { project, plan }: { project: Project; plan: PipelinePlan },
): Promise<void> {
  const steps = testedSteps(plan.graph?.links ?? []);
  if (steps.length === 0) return;
  const configuration = project.testCommand === undefined ? null : await backend.call('auth.config');
  if (configuration && (!configuration.ok || configuration.value.runner)) return;
  const titles = plan.steps.filter(({ nodeId }) => steps.includes(nodeId)).map(({ title }) => title);
  console.addEvent({ code: 'graph.noTests', params: { steps: titles.join(', ') } }, 'warning');
}

/** When a start of many steps is said to wait (ms). */
const saidToWaitMs = 3_000;

/** Says in the console that a run of many steps waits for its turn, unless the server answers soon. Returns what is to be called at the answer. */
function sayThatItWaits({ console, environment }: EngineContext, steps: number): () => void {
  if (steps < manySteps) return () => {};
  return environment.later(saidToWaitMs, () => console.addEvent({ code: 'run.waitsForTurn', params: { steps } }, 'info'));
}

type RunStart = {
  dialog: CanvasNode | null;
  task: string;
  /** Start nodes that limit a run without a dialog. */
  starts?: readonly CanvasNode[];
  /** Makes the canvas of a run that has these cards alone. */
  only?: typeof documentOfCards;
  /** The files that the user gives to the run. */
  inputSetId?: string | undefined;
};

/**
 * Starts a run on a task: canvas to pipeline, pipeline to execution, which is then followed. Accepted once the server has the
 * execution; until then the sender keeps the text. Every problem that prevents the run is written to the console. W4.06 W4.04
 */
export async function startRun(context: EngineContext, parts: RunParts, start: RunStart): Promise<Outcome> {
  const { store } = context;
  // Set before the first await, so that a second start sees this one.
  store.update((draft) => {
    draft.run = { ...emptyRun, phase: 'starting' };
  });
  parts.follower.forget();
  const started = await begin(context, parts, start);
  if (started.ok) return started;
  const givenUp = isGivenUp(store);
  store.update(({ run }) => {
    run.phase = 'stopped';
    if (givenUp) run.outcome = 'cancelled';
    else run.error = started.error;
  });
  return started;
}

async function begin(context: EngineContext, { follower, canvas }: RunParts, start: RunStart): Promise<Outcome> {
  const { dialog, task, inputSetId } = start;
  const { store, backend, console, environment, signal } = context;
  const { project } = store.state;
  if (!project) return { ok: false, error: { code: 'workspace.opening' } };
  if (!dialog && !hasAgentCards(store)) return notValid(context, [{ code: 'run.noAgents' }]);
  if (store.state.agents.status !== 'ready') {
    const problem = await loadAgents(context);
    if (problem) return notValid(context, notChecked(store, problem));
  }

  const unsettled = await canvas.settle();
  if (unsettled) return notValid(context, [unsettled]);
  const planned = planOf(context, start);
  if (!planned.ok) {
    const [problem] = planned.problems;
    if (dialog && problem?.code === 'pipeline.noAgents') {
      console.addEvent({ code: 'dialog.noTarget', params: { dialog: nameOf(dialog) } }, 'warning');
    }
    return notValid(context, planned.problems);
  }
  const tooLong = await listTooLong(context, planned.plan, task);
  if (tooLong) return notValid(context, [tooLong]);
  const wanted = pipelineOfCanvas(context, planned.plan, project);
  console.add(planned.plan.warnings.map((warning) => console.line(warning, 'warning')));
  await warnWithoutTools(context, { project, plan: planned.plan, inputSetId });
  await warnWithoutTests(context, { project, plan: planned.plan });

  const pipeline = await createPipelineOfCanvas(context, canvas, wanted, () => {
    const newest = planOf(context, start);
    return newest.ok ? pipelineOfCanvas(context, newest.plan, project) : null;
  });
  if (!pipeline.ok) {
    const { problem } = pipeline.fault;
    if (problem.code === 'run.canvasChanged') return notValid(context, [problem]);
    const gone = isMissing(pipeline.fault) ? await agentsGone(context, planned.plan) : [];
    if (gone.length > 0) return notValid(context, gone);
    return refused(console, 'pipeline.failed', problem.code === 'bad_answer' ? { code: 'pipeline.invalid' } : problem);
  }
  if (isGivenUp(store)) return giveUp(context, pipeline.value.id);

  const message = dialog && dialogMessageOf(store.document, dialog, task, environment.now());
  const asked = executionStartOf(planned.plan, pipeline.value.id, { task, message, holdHandOffs: project.holdHandOffs, inputSetId });
  const answered = sayThatItWaits(context, planned.plan.steps.length);
  const execution = await callOnce(context, 'execution.start', { body: asked });
  answered();
  if (!execution.ok) {
    await backend.call('pipeline.remove', { params: { id: pipeline.value.id } });
    return refused(console, 'run.startFailed', execution.fault.problem);
  }
  if (isGivenUp(store)) {
    const stopped = await backend.call('execution.stop', { params: { id: execution.value.id } });
    if (stopped.ok) return giveUp(context, pipeline.value.id);
    console.addEvent({ code: 'run.stopFailed', params: { ...stopped.fault.problem.params, cause: stopped.fault.problem.code } }, 'error');
  }
  if (!signal.aborted) void follower.follow(execution.value, pipeline.value).finally(() => void loadHistory(context));
  return done;
}

/** Plans the run on the document as it is now. */
function planOf({ store }: EngineContext, { dialog, starts = [], only }: RunStart) {
  const now = (node: CanvasNode) => store.working.node(node.id) ?? node;
  const document = only ? only(store.document, starts.map(now)) : store.document;
  return planPipeline(document, serverAgents(store.state.agents), dialog && now(dialog), {
    starts: starts.map(now),
    alone: only !== undefined,
    parallelSteps: parallelSettingOf(store.state.project),
  });
}

export function hasAgentCards({ document }: Store): boolean {
  return Object.values(document.nodes).some(isAgentCard);
}

/** Writes to the console what prevents the run, and that it was not started; a notice reports several broken rules too. W4.04 W8.01 */
function notValid({ console, notices }: EngineContext, problems: readonly Problem[]): Outcome {
  const error = refusalOf(problems);
  console.addEvent(error, error.code === 'dialog.noTarget' ? 'warning' : 'error');
  console.addEvent({ code: 'run.stoppedByErrors' }, 'error');
  if (error.code === 'pipeline.validationFailed') notices.show({ code: 'run.stoppedByErrors' });
  return { ok: false, error };
}

/** Returns one problem for each card: the agents could not be read, so it is not known whether the server has them. */
function notChecked({ document }: Store, { code, params }: Problem): Problem[] {
  const cards = Object.values(document.nodes).filter(isAgentCard);
  if (cards.length === 0) return [{ code: 'run.noAgents' }];
  return cards.map((card) => ({ code: 'agent.notChecked', params: { ...params, name: nameOf(card), why: code } }));
}

/** The plan's agents that another tab or device has removed since the list was read. */
async function agentsGone(context: EngineContext, plan: PipelinePlan): Promise<Problem[]> {
  if (await loadAgents(context)) return [];
  const { byId } = context.store.state.agents;
  return plan.steps
    .filter(({ agentId }) => !Object.hasOwn(byId, agentId))
    .map(({ title }) => ({ code: 'agent.serverMissing', params: { name: title } }));
}

/** The user stopped the run before the server had it. */
function isGivenUp({ state }: Store): boolean {
  return state.run.phase === 'stopping';
}

async function giveUp({ backend, console }: EngineContext, pipelineId: string): Promise<Outcome> {
  const removed = await backend.call('pipeline.remove', { params: { id: pipelineId } });
  if (!removed.ok) console.addEvent({ code: 'pipeline.notRemoved' }, 'warning');
  console.addEvent({ code: 'run.cancelled' }, 'warning');
  return failed('run.cancelled');
}

function refused(console: Console, code: string, cause: Problem): Outcome {
  const error = { code, params: { ...cause.params, cause: cause.code } };
  console.addEvent(error, 'error');
  return { ok: false, error };
}
