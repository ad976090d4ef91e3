import { errorCodes } from '../../../contract/errors.ts';
import type { Command } from '../../model/commands.ts';
import type { Problem } from '../../model/problem.ts';

/** The passing message about a command that was refused; null where whoever gave it shows the reason, or nobody needs to be told. */
export function refusalNotice(command: Command, problem: Problem): Problem | null {
  if (quiet.has(problem.code) || tellsItself(command)) return null;
  const { code, params } = problem;
  const isOfCall = errorCodes.some((known) => known === code) || code === 'network' || code === 'bad_answer' || code === 'api.timeout';
  // A call that failed is said to be one. W2.02
  return isOfCall ? { code: 'api.failed', params: { ...params, cause: code } } : problem;
}

/** Refusals that the page shows by itself, or that nobody needs to be told of. */
const quiet = new Set([
  'undo.nothing',
  'redo.nothing',
  'clip.unsound',
  'run.chooseDialog',
  'run.taskNeeded',
  'console.empty',
  'workspace.reloadFailed',
]);

/** Whether whoever gives the command shows by itself why it was refused. */
function tellsItself(command: Command): boolean {
  const { type } = command;
  // A project is put away and taken out by an item of a menu, which is gone by then.
  if (type === 'project.update') return command.status === undefined || command.name !== undefined;
  return type === 'dialog.send' || type === 'agent.count' || type === 'agent.create' || type.startsWith('project');
}
