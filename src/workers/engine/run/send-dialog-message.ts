import type { CanvasNode } from '../../../../contract/canvas.ts';
import { nameOf } from '../../../../rules/card.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { messageEffect } from '../../../model/run/message-effect.ts';
import { dialogMessageOf } from '../../../model/run/plan/run-payloads.ts';
import { resolveDialogTarget } from '../../../model/run/starters/resolve-dialog-target.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CommandOf } from '../engine-module.ts';
import { controlRun } from './control-run.ts';
import type { RunParts } from './run-queue.ts';
import { startRun } from './start-run.ts';

/** Starts a run with the text, adds it to the active run (and resumes it if paused), or queues a run. W4.06 R41 */
export async function sendDialogMessage(
  context: EngineContext,
  parts: RunParts,
  { nodeId, text: written, inputSetId }: CommandOf<'dialog.send'>,
): Promise<Outcome> {
  const { store, console } = context;
  const { queue } = parts;
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
      return startRun(context, parts, { dialog, task: text, inputSetId });
    case 'wait':
      return failed('run.starting');
    case 'queue':
      return queue.add(dialog, text, null, inputSetId);
    case 'followUp':
      return queue.add(dialog, text, run.execution?.id ?? null, inputSetId);
    case 'addition': {
      // The files of a run do not change while it is at work.
      if (inputSetId !== undefined && inputSetId !== run.execution?.inputSetId) return failed('dialog.filesInRun');
      const added = await addContext(context, parts, dialog, text);
      // The last step has begun meanwhile, or the run has ended: no step would read the text.
      if (!added.ok && (added.error.code === 'no_later_step' || added.error.code === 'illegal_state')) {
        if (dialog.autoStartSimulation === false) return failed('dialog.autoStartOff');
        return queue.add(dialog, text, run.execution?.id ?? null, inputSetId);
      }
      if (!added.ok || !isPaused) return added;
      // The message has arrived: a run that does not resume is reported, and the message is not sent again.
      const resumed = await controlRun(context, parts, 'resume', ['paused', 'pausing']);
      if (!resumed.ok && store.state.run.phase === 'paused') console.addEvent(resumed.error, 'error');
      return done;
    }
    default:
      return effect satisfies never;
  }
}

async function addContext(context: EngineContext, { follower }: RunParts, dialog: CanvasNode, content: string): Promise<Outcome> {
  const { store, environment } = context;
  const { execution } = store.state.run;
  if (!execution) return failed('run.starting');
  const message = {
    type: 'user_input',
    source: 'dialog',
    content,
    dialogNodeId: dialog.id,
    dialogNodeTitle: nameOf(dialog).slice(0, 200),
    projectId: execution.projectId,
    timestamp: new Date(environment.now()).toISOString(),
    context: dialogMessageOf(store.document, dialog, content, environment.now()),
  };
  const added = await callOnce(context, 'execution.addContext', { params: { id: execution.id }, body: message });
  void follower.pollNow();
  return added.ok ? done : refusal(added.fault);
}
