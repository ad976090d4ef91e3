import type { CommandResult } from '../../../model/commands.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import { retryLostCall } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf } from '../engine-module.ts';
import { loadHistory } from '../history/history-list.ts';
import type { RunFollower } from './run-follower.ts';

/** Starts a fork of a run and follows it. A repeated call after a lost answer starts no second one. */
export async function forkRun(
  context: EngineContext,
  follower: RunFollower,
  { executionId, request, isTried }: CommandOf<'run.fork'>,
): Promise<Outcome<CommandResult>> {
  const { store, backend, environment } = context;
  if (store.state.run.phase !== 'stopped' && !isTried) return failed('run.active');
  const key = { idempotencyKey: environment.newId() };
  const answer = await retryLostCall(context, () => backend.fork(executionId, request, key));
  if (!answer.ok) return refusal(answer.fault);
  const { execution } = answer.value;
  if (!execution) return failed('bad_answer');
  if (!isTried && !context.signal.aborted) void follower.follow(execution).finally(() => void loadHistory(context));
  return { ok: true, value: { executionId: execution.id } };
}

/** Goes on with the chosen one of the runs that were tried and stops the others; without a chosen one it stops all. */
export async function chooseTried(
  context: EngineContext,
  follower: RunFollower,
  { executionId, others }: CommandOf<'run.chooseTried'>,
): Promise<Outcome> {
  const { backend } = context;
  await Promise.all(others.map((id) => backend.controlExecution(id, 'stop')));
  if (executionId === null) {
    void loadHistory(context);
    return done;
  }
  const details = await backend.readExecution(executionId);
  if (!details.ok) return refusal(details.fault);
  // The last step of a run leaves nothing to go on with.
  if (details.value.status === 'paused') {
    const resumed = await backend.controlExecution(executionId, 'resume');
    if (!resumed.ok) return refusal(resumed.fault);
  }
  void follower.follow(details.value).finally(() => void loadHistory(context));
  return done;
}
