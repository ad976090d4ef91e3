import type { Problem } from '../../../model/problem.ts';
import type { PipelinePlan } from '../../../model/run/plan/pipeline-plan.ts';
import { validationReport } from '../../../model/validation-report.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadPart } from '../load-part.ts';

/** Why no group can work through the task: the run would fail at its start. */
export async function listTooLong(context: EngineContext, { graph }: PipelinePlan, task: string): Promise<Problem | null> {
  if (!graph || graph.groups.length === 0) return null;
  const part = await loadPart(context, () => import('../../../model/run/plan/task-list.ts'));
  const long = part?.longListOf(graph, task);
  return long ? { code: 'list_too_long', nodeIds: [long.groupId] } : null;
}

/** The rules whose own message is the reason that a run does not start. The others are summarised in a report. */
const plain = new Set([
  'run.canvasChanged',
  'run.canvasConflict',
  'run.noAgents',
  'run.allDisabled',
  'run.noValidAgents',
  'run.tooManySteps',
  'run.tooManyLinks',
  'pipeline.noAgents',
  'dialog.noTarget',
  'list_too_long',
]);

/** Returns why a canvas cannot run: the first rule with its own message or the only one, whose sentence says the cure. Else a report of all problems. */
export function refusalOf([first, ...others]: readonly Problem[]): Problem {
  if (!first) throw new Error('A canvas that is refused breaks a rule');
  const saysAll = plain.has(first.code) || (others.length === 0 && first.code === 'graph.twoEntries');
  return saysAll ? first : validationReport([first, ...others]);
}
