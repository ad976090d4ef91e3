import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nameOf } from '../../../../rules/card.ts';
import type { RunCommand } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { phaseOf } from '../../../model/run/apply-execution-event.ts';
import { dialogMessageOf } from '../../../model/run/dialog-message.ts';
import { messageEffect } from '../../../model/run/message-effect.ts';
import { resolveDialogTarget } from '../../../model/run/resolve-dialog-target.ts';
import { isUnderWay, type RunPhase } from '../../../model/workspace-state.ts';
import type { ExecutionAction } from '../backends/port.ts';
import { twice } from '../twice.ts';
import { hasAgentCards, type RunDependencies, startRun } from './start-run.ts';

/** Between the end of a stopped execution and the removal of its pipeline. W4.08 */
const removeAfterStopMs = 1_000;

/** Carries out what the user wants of the run. */
export async function dispatchRunCommand(dependencies: RunDependencies, command: RunCommand): Promise<Outcome> {
  switch (command.type) {
    case 'dialog.send':
      return sendDialogMessage(dependencies, command.nodeId, command.text);
    case 'run.start':
      return startFromControl(dependencies, command);
    case 'run.pause':
      return control(dependencies, 'pause', ['running', 'starting']);
    case 'run.resume':
      return control(dependencies, 'resume', ['paused', 'pausing']);
    case 'run.nextStep':
      return control(dependencies, 'nextStep', ['paused']);
    case 'run.stop':
      return stopRun(dependencies);
    case 'run.withdraw':
      return dependencies.queue.withdraw(command.executionId);
    case 'run.clear':
      if (dependencies.store.state.run.phase !== 'stopped') return failed('run.active');
      dependencies.follower.clear();
      return done;
    default:
      return command satisfies never;
  }
}

const done: Outcome = { ok: true, value: undefined };

/** Starts a run with the text, adds it to the one under way (which goes on when paused), or queues a run of its own. W4.06 R41 */
async function sendDialogMessage(dependencies: RunDependencies, nodeId: string, written: string): Promise<Outcome> {
  const { store, queue } = dependencies;
  const text = written.trim();
  if (!text) return failed('dialog.empty');
  const dialog = store.working.node(nodeId);
  if (!dialog) return failed('dialog.unknown');
  const { run } = store.state;
  const isPaused = run.phase === 'paused';
  const effect = messageEffect(run, nodeId, resolveDialogTarget(store.document, dialog));
  if (effect !== 'addition' && dialog.autoStartSimulation === false) return failed('dialog.autoStartOff');
  switch (effect) {
    case 'start':
      return startRun(dependencies, dialog, text);
    case 'wait':
      return failed('run.starting');
    case 'queue':
      return queue.add(dialog, text, null);
    case 'followUp':
      return queue.add(dialog, text, run.execution?.id ?? null);
    case 'addition': {
      const added = await addContext(dependencies, dialog, text);
      // The last step has begun since, or the run has ended: nothing of it would read the text.
      if (!added.ok && (added.error.code === 'no_later_step' || added.error.code === 'illegal_state')) {
        if (dialog.autoStartSimulation === false) return failed('dialog.autoStartOff');
        return queue.add(dialog, text, run.execution?.id ?? null);
      }
      if (!added.ok || !isPaused) return added;
      // The message has arrived: a run that does not go on is said, and is no reason to send it again.
      const resumed = await control(dependencies, 'resume', ['paused', 'pausing']);
      if (!resumed.ok && store.state.run.phase === 'paused') dependencies.console.says(resumed.error, 'error');
      return done;
    }
    default:
      return effect satisfies never;
  }
}

/** The given dialog, else the only one; its goal where no task is given. Without a dialog all agents run on the task. */
async function startFromControl(
  dependencies: RunDependencies,
  { dialogNodeId, startNodeId, task = '' }: Extract<RunCommand, { type: 'run.start' }>,
): Promise<Outcome> {
  const { store } = dependencies;
  const { phase } = store.state.run;
  if (phase !== 'stopped') return failed('run.active');
  // That there is nobody to work is said before anything is asked.
  if (!hasAgentCards(store)) return startRun(dependencies, null, task);
  const dialogs = Object.values(store.document.nodes).filter((node) => node.type === 'dialog');
  const dialog = startNodeId ? undefined : dialogNodeId ? dialogs.find((node) => node.id === dialogNodeId) : dialogs[0];
  const starts = Object.values(store.document.nodes).filter(({ id, type }) => type === 'start' && (!startNodeId || id === startNodeId));
  if (startNodeId && starts.length === 0) return failed('start.unknown');
  if (dialogNodeId && !dialog) return failed('dialog.unknown');
  if (!dialogNodeId && !startNodeId && dialogs.length > 1) return failed('run.chooseDialog');
  const text = task.trim() || dialog?.goal?.trim() || '';
  return text ? startRun(dependencies, dialog ?? null, text, dialog ? [] : starts) : failed('run.taskNeeded');
}

async function addContext(
  { store, backend, environment, follower, leaving }: RunDependencies,
  dialog: CanvasNode,
  content: string,
): Promise<Outcome> {
  const { execution } = store.state.run;
  if (!execution) return failed('run.starting');
  const context = {
    content,
    dialogNodeId: dialog.id,
    dialogNodeTitle: nameOf(dialog).slice(0, 200),
    projectId: execution.projectId,
    timestamp: new Date(environment.now()).toISOString(),
    context: dialogMessageOf(store.document, dialog, content, environment.now()),
  };
  const key = { idempotencyKey: environment.newId() };
  const added = await twice(environment, () => backend.addContext(execution.id, context, key), leaving);
  void follower.pollNow();
  return added.ok ? done : { ok: false, error: added.fault.problem };
}

async function control(
  { store, backend, follower }: RunDependencies,
  action: ExecutionAction,
  allowed: readonly RunPhase[],
): Promise<Outcome> {
  const { execution, phase } = store.state.run;
  if (!execution) return failed('run.noExecution');
  if (!allowed.includes(phase)) return failed('run.notPossible', { phase });
  const answer = await backend.controlExecution(execution.id, action);
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
  return answer.ok ? done : { ok: false, error: answer.fault.problem };
}

/** Stops the execution and every other one of this project that is under way, then takes the pipeline off the list. W4.08 */
async function stopRun(dependencies: RunDependencies): Promise<Outcome> {
  const { store, backend, console, follower, environment } = dependencies;
  const { execution, phase } = store.state.run;
  if (!execution && phase === 'starting') {
    // The start under way sees it as soon as the server has answered, and takes back what it has begun.
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
  const stopped = await backend.controlExecution(execution.id, 'stop');
  if (!stopped.ok) {
    store.update(({ run }) => {
      if (run.phase === 'stopping' && run.execution) run.phase = phaseOf(run.execution);
    });
    console.says({ code: 'run.stopFailed', params: { ...stopped.fault.problem.params, cause: stopped.fault.problem.code } }, 'error');
    void follower.pollNow();
    return { ok: false, error: stopped.fault.problem };
  }
  void follower.pollNow();
  void stopOthers(dependencies, execution.projectId, execution.id).finally(() => {
    environment.later(removeAfterStopMs, async () => {
      const removed = await backend.removePipeline(execution.pipelineId);
      if (!removed.ok) console.says({ code: 'pipeline.notRemoved' }, 'warning');
    });
  });
  return done;
}

async function stopOthers({ backend }: RunDependencies, projectId: string, stoppedId: string): Promise<void> {
  const listed = await backend.listExecutions(projectId, 200);
  if (!listed.ok) return;
  const active = listed.value.filter((other) => other.id !== stoppedId && !other.held && isUnderWay(other));
  await Promise.all(active.map(({ id }) => backend.controlExecution(id, 'stop')));
}
