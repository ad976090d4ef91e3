import { errorCodes } from '../../../contract/errors.ts';
import type { Command } from '../../model/commands.ts';
import type { Problem } from '../../model/problem.ts';

/** Returns the notice about a refused command; null if its control shows the reason, or the user needs no notice. */
export function refusalNotice(command: Command, problem: Problem): Problem | null {
  if (quiet.has(problem.code) || showsReason(command)) return null;
  const { code, params } = problem;
  const isOfCall = errorCodes.some((known) => known === code) || code === 'network' || code === 'bad_answer' || code === 'api.timeout';
  // A failed call is named as one. W2.02
  return isOfCall ? { code: 'api.failed', params: { ...params, cause: code } } : problem;
}

/** Refusals that the page shows elsewhere, or that need no notice. */
const quiet = new Set([
  'undo.nothing',
  'redo.nothing',
  'clip.unsound',
  'agent.noRoom',
  'run.chooseDialog',
  'run.taskNeeded',
  'console.empty',
  'workspace.reloadFailed',
]);

/** Whether the control that sends the command shows why it was refused. */
function showsReason(command: Command): boolean {
  const { type } = command;
  // The menu item that archives and restores a project is closed when the answer arrives.
  if (type === 'project.update') return command.status === undefined || command.name !== undefined;
  return (
    type === 'dialog.send' ||
    type.startsWith('input.') ||
    type === 'agent.count' ||
    type === 'agent.create' ||
    type.startsWith('storage.') ||
    type === 'run.fork' ||
    type === 'run.storeForkPipeline' ||
    type === 'question.answer' ||
    // Sent by the page itself, without a person's action.
    type === 'run.foresee' ||
    type.startsWith('project')
  );
}
