import type { PipelineCreation } from '../../../contract/executions/pipeline.ts';
import { isDialog } from '../../../rules/card.ts';
import { serverAgents } from '../../model/agents/fallback-agent.ts';
import type { Problem } from '../../model/problem.ts';
import { parallelSettingOf } from '../../model/run/plan/parallel-limit.ts';
import { planPipeline } from '../../model/run/plan/pipeline-plan.ts';
import { pipelineOf } from '../../model/run/plan/run-payloads.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';

type Canvas = Pick<WorkspaceState, 'document' | 'agents' | 'project' | 'save'>;
type Present = { ok: true; pipeline: PipelineCreation } | { ok: false; problem: Problem };

/** The dialogs that a release may begin with, in the order of the canvas. */
export function dialogsOf({ document }: Pick<Canvas, 'document'>) {
  return Object.values(document.nodes).filter(isDialog);
}

/**
 * Returns the pipeline of the canvas as it is saved, begun with a dialog, or with all cards for null. Refused while edits are not saved: the server freezes
 * the canvas that it has.
 */
export function presentPipeline({ document, agents, project, save }: Canvas, dialogId: string | null): Present {
  if (project === null || save.status !== 'saved') return { ok: false, problem: { code: 'release.notSaved' } };
  const dialog = dialogId === null ? null : (document.nodes[dialogId] ?? null);
  const planned = planPipeline(document, serverAgents(agents), dialog, { parallelSteps: parallelSettingOf(project) });
  if (!planned.ok) return { ok: false, problem: planned.problems[0] ?? { code: 'run.noValidAgents' } };
  return { ok: true, pipeline: { ...pipelineOf(planned.plan, project.id, project.name), canvasVersion: save.version } };
}
