import type { CanvasNode } from '../../../../contract/canvas.ts';
import { dialogMessageOf } from '../../../model/dialog-message.ts';
import { planPipeline } from '../../../model/pipeline-plan.ts';
import { failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { executionStartOf, pipelineOf } from '../../../model/run-payloads.ts';
import { emptyRun } from '../../../model/workspace-state.ts';
import type { Answer, Backend } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import type { RunFollower } from './run-follower.ts';

const retryAfterMs = 1_000;

export type RunDependencies = {
  store: Store;
  backend: Backend;
  console: Console;
  follower: RunFollower;
  environment: Pick<Environment, 'newId' | 'later' | 'now'>;
  loadAgents: () => Promise<Problem | null>;
  historyChanged: () => void;
};

/**
 * Starts a run on a task: canvas to pipeline, pipeline to execution, which is then followed. Accepted once the server has the
 * execution; until then whoever asked keeps the text. What stands in the way is written to the console in full. W4.06 W4.04
 */
export async function startRun(dependencies: RunDependencies, dialog: CanvasNode | null, task: string): Promise<Outcome> {
  const { store } = dependencies;
  // Set before anything is waited for, so that a second start finds this one.
  store.update((draft) => {
    draft.run = { ...emptyRun, phase: 'starting' };
  });
  dependencies.follower.forget();
  const started = await begin(dependencies, dialog, task);
  if (started.ok) return started;
  const givenUp = isGivenUp(store);
  store.update(({ run }) => {
    run.phase = 'stopped';
    if (givenUp) run.outcome = 'cancelled';
    else run.error = started.error;
  });
  return started;
}

async function begin(dependencies: RunDependencies, dialog: CanvasNode | null, task: string): Promise<Outcome> {
  const { store, backend, console, follower, environment, loadAgents, historyChanged } = dependencies;
  const { project } = store.state;
  if (!project) return { ok: false, error: { code: 'workspace.opening' } };
  if (store.state.agents.status !== 'ready') {
    const problem = await loadAgents();
    if (problem) return { ok: false, error: problem };
  }

  const { agents } = store.state;
  const planned = planPipeline(
    store.document,
    agents.order.flatMap((id) => agents.byId[id] ?? []),
    dialog,
  );
  if (!planned.ok) {
    if (planned.problems.length > 1)
      console.says({ code: 'pipeline.validationFailed', params: { count: planned.problems.length } }, 'error');
    console.add(planned.problems.map((problem) => console.line(problem, problem.code === 'dialog.noTarget' ? 'warning' : 'error')));
    console.says({ code: 'run.stoppedByErrors' }, 'error');
    return { ok: false, error: planned.problems[0] as Problem };
  }
  console.add(planned.plan.warnings.map((warning) => console.line(warning, 'warning')));

  const pipelineKey = { idempotencyKey: environment.newId() };
  const pipeline = await twice(environment, () => backend.createPipeline(pipelineOf(planned.plan, project.id, project.name), pipelineKey));
  if (!pipeline.ok) {
    const { problem } = pipeline.fault;
    return refused(console, 'pipeline.failed', problem.code === 'bad_answer' ? { code: 'pipeline.invalid' } : problem);
  }
  if (isGivenUp(store)) return giveUp(dependencies, pipeline.value.id);

  const message = dialog && dialogMessageOf(store.document, dialog, task, environment.now());
  const startKey = { idempotencyKey: environment.newId() };
  const execution = await twice(environment, () =>
    backend.startExecution(executionStartOf(planned.plan, pipeline.value.id, task, message), startKey),
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
  void follower.follow(execution.value).finally(historyChanged);
  return { ok: true, value: undefined };
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

/** A request whose answer was lost is sent once more with the same key, which does it once. */
export async function twice<T>(environment: Pick<Environment, 'later'>, call: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call();
  if (answer.ok || answer.fault.kind !== 'unreachable') return answer;
  await new Promise<void>((resolve) => environment.later(answer.fault.retryAfterMs ?? retryAfterMs, resolve));
  return call();
}

function refused(console: Console, code: string, cause: Problem): Outcome {
  const error = { code, params: { ...cause.params, cause: cause.code } };
  console.says(error, 'error');
  return { ok: false, error };
}
