import { isDialog } from '../../../../rules/card.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { phaseOf } from '../../../model/run/apply-execution-event.ts';
import { ownGoal } from '../../../model/run/own-goal.ts';
import { startersOf } from '../../../model/run/starters/starters-of.ts';
import { isUnderWay, type RunPhase } from '../../../model/workspace-state.ts';
import { type ExecutionAction, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf } from '../engine-module.ts';
import { loadPart } from '../load-part.ts';
import type { RunParts } from './run-queue.ts';
import { hasAgentCards, startRun } from './start-run.ts';

/** Between the end of a stopped execution and the removal of its pipeline. W4.08 */
const removeAfterStopMs = 1_000;

/** Starts the given dialog, else the only one; with its own goal if no task is given. Without a dialog all agents run on the task. */
export async function startFromControl(
  context: EngineContext,
  parts: RunParts,
  { dialogNodeId, startNodeId, cardId, alone = false, task = '', inputSetId }: CommandOf<'run.start'>,
): Promise<Outcome> {
  const { store } = context;
  const { phase } = store.state.run;
  if (phase !== 'stopped') return failed('run.active');
  // Without agents no run is possible, so the user is not asked for a dialog or a task.
  if (!hasAgentCards(store)) return startRun(context, parts, { dialog: null, task });
  if (cardId !== undefined) {
    const card = store.working.node(cardId);
    if (!card) return failed('node.unknown');
    if (!task.trim()) return failed('run.taskNeeded');
    const part = alone ? await loadPart(context, () => import('../../../model/run/plan/document-of-cards.ts')) : null;
    if (alone && !part) return failed('network');
    return startRun(context, parts, { dialog: null, task: task.trim(), starts: [card], ...(part && { only: part.documentOfCards }) });
  }
  const { dialog, starts } = startersOf(store.document, { dialogNodeId, startNodeId });
  if (startNodeId && starts.length === 0) return failed('start.unknown');
  if (dialogNodeId && !dialog) return failed('dialog.unknown');
  const dialogs = Object.values(store.document.nodes).filter(isDialog);
  if (!dialogNodeId && !startNodeId && dialogs.length > 1) return failed('run.chooseDialog');
  const text = task.trim() || (dialog ? ownGoal(dialog) : '');
  return text ? startRun(context, parts, { dialog, task: text, starts, inputSetId }) : failed('run.taskNeeded');
}

export async function controlRun(
  { store, backend }: EngineContext,
  { follower }: RunParts,
  action: ExecutionAction,
  allowed: readonly RunPhase[],
): Promise<Outcome> {
  const { execution, phase } = store.state.run;
  if (!execution) return failed('run.noExecution');
  if (!allowed.includes(phase)) return failed('run.notPossible', { phase });
  const answer = await backend.call(`execution.${action}`, { params: { id: execution.id } });
  if (answer.ok) {
    store.update(({ run }) => {
      if (run.execution?.id !== execution.id || run.phase === 'stopping' || run.execution.lastSeq > answer.value.lastSeq) return;
      const phase = phaseOf(answer.value);
      if (phase !== 'stopped') run.phase = phase;
      run.execution.pauseRequested = answer.value.pauseRequested;
    });
    if (action === 'nextStep') follower.awaitStep();
  }
  void follower.pollNow();
  return answer.ok ? done : refusal(answer.fault);
}

/** Stops the execution and all other active ones of this project, then removes the pipeline. That of a fork stays: the original may have the same. W4.08 */
export async function stopRun(context: EngineContext, { follower }: RunParts): Promise<Outcome> {
  const { store, backend, console, environment } = context;
  const { execution, phase } = store.state.run;
  if (!execution && phase === 'starting') {
    // `startRun` checks this after the server's answer, and then stops the execution and removes the pipeline.
    store.update(({ run }) => {
      run.phase = 'stopping';
    });
    return done;
  }
  if (!execution) return failed('run.noExecution');
  if (phase === 'stopped' || phase === 'stopping') return failed('run.notPossible', { phase });
  store.update(({ run }) => {
    run.phase = 'stopping';
  });
  const stopped = await backend.call('execution.stop', { params: { id: execution.id } });
  if (!stopped.ok) {
    store.update(({ run }) => {
      if (run.phase === 'stopping' && run.execution) run.phase = phaseOf(run.execution);
    });
    console.addEvent({ code: 'run.stopFailed', params: { ...stopped.fault.problem.params, cause: stopped.fault.problem.code } }, 'error');
    void follower.pollNow();
    return refusal(stopped.fault);
  }
  void follower.pollNow();
  void stopOthers(context, execution.projectId, execution.id).finally(() => {
    if (execution.forkedAt !== undefined) return;
    environment.later(removeAfterStopMs, async () => {
      const removed = await backend.call('pipeline.remove', { params: { id: execution.pipelineId } });
      if (!removed.ok) console.addEvent({ code: 'pipeline.notRemoved' }, 'warning');
    });
  });
  return done;
}

async function stopOthers({ backend }: EngineContext, projectId: string, stoppedId: string): Promise<void> {
  const listed = await backend.call('execution.list', { query: { projectId, limit: 200 } });
  if (!listed.ok) return;
  const active = listed.value.filter((other) => other.id !== stoppedId && !other.held && isUnderWay(other));
  await Promise.all(active.map(({ id }) => backend.call('execution.stop', { params: { id } })));
}
