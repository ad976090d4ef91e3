import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentCard, nameOf } from '../../../../rules/card.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { dialogMessageOf } from '../../../model/run/dialog-message.ts';
import { type PipelinePlan, planPipeline } from '../../../model/run/pipeline-plan.ts';
import { executionStartOf, pipelineOf } from '../../../model/run/run-payloads.ts';
import { validationReport } from '../../../model/validation-report.ts';
import { emptyRun } from '../../../model/workspace-state.ts';
import { type Backend, isMissing } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Notices } from '../store/notices.ts';
import type { Store } from '../store/store.ts';
import { twice } from '../twice.ts';
import type { RunFollower } from './run-follower.ts';
import type { RunQueue } from './run-queue.ts';

export type RunDependencies = {
  store: Store;
  backend: Backend;
  console: Console;
  notices: Pick<Notices, 'show'>;
  follower: RunFollower;
  queue: RunQueue;
  environment: Pick<Environment, 'newId' | 'later' | 'now'>;
  loadAgents: () => Promise<Problem | null>;
  historyChanged: () => void;
  /** Somebody leaves the workspace: what has begun is brought to its end without waiting, and not followed. */
  leaving: AbortSignal;
};

/**
 * Starts a run on a task: canvas to pipeline, pipeline to execution, which is then followed. Accepted once the server has the
 * execution; until then whoever asked keeps the text. `starts` limit a run without a dialog. What stands in the way is written to the console in full. W4.06 W4.04
 */
export async function startRun(
  dependencies: RunDependencies,
  dialog: CanvasNode | null,
  task: string,
  starts: readonly CanvasNode[] = [],
): Promise<Outcome> {
  const { store } = dependencies;
  // Set before anything is waited for, so that a second start finds this one.
  store.update((draft) => {
    draft.run = { ...emptyRun, phase: 'starting' };
  });
  dependencies.follower.forget();
  const started = await begin(dependencies, dialog, task, starts);
  if (started.ok) return started;
  const givenUp = isGivenUp(store);
  store.update(({ run }) => {
    run.phase = 'stopped';
    if (givenUp) run.outcome = 'cancelled';
    else run.error = started.error;
  });
  return started;
}

async function begin(
  dependencies: RunDependencies,
  dialog: CanvasNode | null,
  task: string,
  starts: readonly CanvasNode[],
): Promise<Outcome> {
  const { store, backend, console, follower, environment, loadAgents, historyChanged, leaving } = dependencies;
  const { project } = store.state;
  if (!project) return { ok: false, error: { code: 'workspace.opening' } };
  if (!dialog && !hasAgentCards(store)) return notValid(dependencies, [{ code: 'run.noAgents' }]);
  if (store.state.agents.status !== 'ready') {
    const problem = await loadAgents();
    if (problem) return notValid(dependencies, notChecked(store, problem));
  }

  const { agents } = store.state;
  const planned = planPipeline(store.document, serverAgents(agents), dialog, { starts });
  if (!planned.ok) {
    const [problem] = planned.problems;
    if (dialog && problem?.code === 'pipeline.noAgents') {
      console.says({ code: 'dialog.noTarget', params: { dialog: nameOf(dialog) } }, 'warning');
    }
    return notValid(dependencies, planned.problems);
  }
  console.add(planned.plan.warnings.map((warning) => console.line(warning, 'warning')));

  const pipelineKey = { idempotencyKey: environment.newId() };
  const pipeline = await twice(
    environment,
    () => backend.createPipeline(pipelineOf(planned.plan, project.id, project.name), pipelineKey),
    leaving,
  );
  if (!pipeline.ok) {
    const { problem } = pipeline.fault;
    const gone = isMissing(pipeline.fault) ? await agentsGone(dependencies, planned.plan) : [];
    if (gone.length > 0) return notValid(dependencies, gone);
    return refused(console, 'pipeline.failed', problem.code === 'bad_answer' ? { code: 'pipeline.invalid' } : problem);
  }
  if (isGivenUp(store)) return giveUp(dependencies, pipeline.value.id);

  const message = dialog && dialogMessageOf(store.document, dialog, task, environment.now());
  const startKey = { idempotencyKey: environment.newId() };
  const execution = await twice(
    environment,
    () => backend.startExecution(executionStartOf(planned.plan, pipeline.value.id, task, message), startKey),
    leaving,
  );
  if (!execution.ok) {
    await backend.removePipeline(pipeline.value.id);
    return refused(console, 'run.startFailed', execution.fault.problem);
  }
  if (isGivenUp(store)) {
    const stopped = await backend.controlExecution(execution.value.id, 'stop');
    if (stopped.ok) return giveUp(dependencies, pipeline.value.id);
    console.says({ code: 'run.stopFailed', params: { ...stopped.fault.problem.params, cause: stopped.fault.problem.code } }, 'error');
  }
  if (!leaving.aborted) void follower.follow(execution.value).finally(historyChanged);
  return { ok: true, value: undefined };
}

export function hasAgentCards({ document }: Store): boolean {
  return Object.values(document.nodes).some(isAgentCard);
}

/** Rules that say by themselves why a run does not start; of all others a report is made. */
const plain = new Set(['run.noAgents', 'run.noValidAgents', 'run.tooManySteps', 'pipeline.noAgents', 'dialog.noTarget']);

/** Why a canvas cannot be run: the rule that says it by itself, else a report of all broken rules. */
export function refusalOf([first, ...others]: readonly Problem[]): Problem {
  if (!first) throw new Error('A canvas that is refused breaks a rule');
  return plain.has(first.code) ? first : validationReport([first, ...others]);
}

/** Says in the console what keeps the canvas from running, and that it ends there; of broken rules a strip says so too. W4.04 W8.01 */
function notValid({ console, notices }: RunDependencies, problems: readonly Problem[]): Outcome {
  const error = refusalOf(problems);
  console.says(error, error.code === 'dialog.noTarget' ? 'warning' : 'error');
  console.says({ code: 'run.stoppedByErrors' }, 'error');
  if (!plain.has(error.code)) notices.show({ code: 'run.stoppedByErrors' });
  return { ok: false, error };
}

/** Nobody knows of the canvas's agents whether the server has them. */
function notChecked({ document }: Store, { code, params }: Problem): Problem[] {
  const cards = Object.values(document.nodes).filter(isAgentCard);
  if (cards.length === 0) return [{ code: 'run.noAgents' }];
  return cards.map((card) => ({ code: 'agent.notChecked', params: { ...params, name: nameOf(card), why: code } }));
}

/** Those of the plan's agents that another tab or device has removed since the list was read. */
async function agentsGone({ store, loadAgents }: RunDependencies, plan: PipelinePlan): Promise<Problem[]> {
  if (await loadAgents()) return [];
  const { byId } = store.state.agents;
  return plan.steps
    .filter(({ agentId }) => !Object.hasOwn(byId, agentId))
    .map(({ title }) => ({ code: 'agent.serverMissing', params: { name: title } }));
}

/** The user stopped the run before the server had it. */
function isGivenUp({ state }: Store): boolean {
  return state.run.phase === 'stopping';
}

async function giveUp({ backend, console }: RunDependencies, pipelineId: string): Promise<Outcome> {
  const removed = await backend.removePipeline(pipelineId);
  if (!removed.ok) console.says({ code: 'pipeline.notRemoved' }, 'warning');
  console.says({ code: 'run.cancelled' }, 'warning');
  return failed('run.cancelled');
}

function refused(console: Console, code: string, cause: Problem): Outcome {
  const error = { code, params: { ...cause.params, cause: cause.code } };
  console.says(error, 'error');
  return { ok: false, error };
}
