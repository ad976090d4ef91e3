import type { Project } from '../../../../contract/project.ts';
import type { PipelinePlan } from '../../../model/run/plan/pipeline-plan.ts';
import type { EngineContext } from '../engine-context.ts';

/** Writes to the console which agents of a planned run call no tools, where the run has files or pages, or they have tools. G3.02 */
export async function warnWithoutTools(
  { backend, console }: Pick<EngineContext, 'backend' | 'console'>,
  { project, plan, inputSetId }: { project: Project; plan: PipelinePlan; inputSetId: string | undefined },
): Promise<void> {
  const ofRun = inputSetId !== undefined || (project.fetchHosts?.length ?? 0) > 0;
  const hasTools = async (agentId: string) => {
    const ticked = await backend.call('toolServer.agentTools', { params: { id: project.id, agentId } });
    return ticked.ok && ticked.value.toolIds.length > 0;
  };
  const concerned = await Promise.all(
    plan.withoutTools.map(async ({ agentId, warning }) => (ofRun || (await hasTools(agentId)) ? warning : null)),
  );
  console.add(concerned.flatMap((warning) => (warning ? [console.line(warning, 'warning')] : [])));
}
