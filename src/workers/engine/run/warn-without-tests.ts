import type { Project } from '../../../../contract/project.ts';
import { testedSteps } from '../../../../rules/run-graph/tested-steps.ts';
import type { PipelinePlan } from '../../../model/run/pipeline-plan.ts';
import type { EngineContext } from '../engine-context.ts';

/** Writes to the console which steps of a planned run have links that test tests, where none will be executed. C4.06 */
export async function warnWithoutTests(
  { backend, console }: Pick<EngineContext, 'backend' | 'console'>,
  { project, plan }: { project: Project; plan: PipelinePlan },
): Promise<void> {
  const steps = testedSteps(plan.graph?.links ?? []);
  if (steps.length === 0) return;
  const configuration = project.testCommand === undefined ? null : await backend.readConfiguration();
  if (configuration && (!configuration.ok || configuration.value.runner)) return;
  const titles = plan.steps.filter(({ nodeId }) => steps.includes(nodeId)).map(({ title }) => title);
  console.addEvent({ code: 'graph.noTests', params: { steps: titles.join(', ') } }, 'warning');
}
