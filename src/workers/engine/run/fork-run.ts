import type { ExecutionDetails } from '../../../../contract/executions/execution.ts';
import type { CommandResult } from '../../../model/commands.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
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
  const { store } = context;
  if (store.state.run.phase !== 'stopped' && !isTried) return failed('run.active');
  const answer = await callOnce(context, 'execution.fork', { params: { id: executionId }, body: request });
  if (!answer.ok) return refusal(answer.fault);
  const { execution } = answer.value;
  if (!execution) return failed('bad_answer');
  if (!isTried && !context.signal.aborted) void follower.follow(execution).finally(() => void loadHistory(context));
  return { ok: true, value: { executionId: execution.id } };
}

/**
 * Goes on with the chosen one of the runs that were tried and stops the others; without a chosen one it stops all. Fails when the chosen one was
 * stopped or removed meanwhile, and leaves the others. Fails when the server cannot be reached: the others would wait for ever.
 */
export async function chooseTried(
  context: EngineContext,
  follower: RunFollower,
  { executionId, others }: CommandOf<'run.chooseTried'>,
): Promise<Outcome> {
  const { backend } = context;
  const chosen = executionId === null ? null : await goOn(context, executionId);
  if (chosen && !chosen.ok) return chosen;
  const stopped = await Promise.all(others.map((id) => backend.call('execution.stop', { params: { id } })));
  // A refusal means that the run has ended or is gone.
  const lost = stopped.find((answer) => !answer.ok && answer.fault.kind !== 'refused');
  if (lost && !lost.ok) return refusal(lost.fault);
  if (chosen) void follower.follow(chosen.value).finally(() => void loadHistory(context));
  else void loadHistory(context);
  return done;
}

/** Continues a run that was tried. Chosen again, it works already. The last step of a run leaves nothing to go on with. */
async function goOn({ backend }: EngineContext, executionId: string): Promise<Outcome<ExecutionDetails>> {
  const details = await backend.call('execution.details', { params: { id: executionId } });
  if (!details.ok) return refusal(details.fault);
  if (details.value.status === 'cancelled') return failed('run.trialStopped');
  if (details.value.status === 'paused') {
    const resumed = await backend.call('execution.resume', { params: { id: executionId } });
    if (!resumed.ok) return refusal(resumed.fault);
  }
  return details;
}
