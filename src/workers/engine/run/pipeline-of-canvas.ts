import type { Pipeline, PipelineCreation } from '../../../../contract/executions/pipeline.ts';
import type { Project } from '../../../../contract/project.ts';
import type { PipelinePlan } from '../../../model/run/plan/pipeline-plan.ts';
import { pipelineOf } from '../../../model/run/plan/run-payloads.ts';
import type { Answer } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import type { CanvasPersistence } from '../persistence/canvas-persistence.ts';

/** How runs reach the canvas that is saved. */
export type CanvasOfRuns = Pick<CanvasPersistence, 'settle' | 'loadNewest' | 'waiting'>;

/** Converts a plan of the document as it is now into a pipeline that names the version of the canvas. */
export function pipelineOfCanvas(
  { store }: Pick<EngineContext, 'store'>,
  plan: PipelinePlan,
  project: Pick<Project, 'id' | 'name'>,
): PipelineCreation {
  return { ...pipelineOf(plan, project.id, project.name), canvasVersion: store.state.save.version };
}

/**
 * Creates the pipeline on the server, which refuses one of an old canvas. Then the newest canvas is loaded. `again` makes the pipeline from it, or
 * returns null. The same pipeline is created; another one is refused with `run.canvasChanged`, because the user has not seen its canvas. G8.31
 */
export async function createPipelineOfCanvas(
  context: EngineContext,
  canvas: CanvasOfRuns,
  pipeline: PipelineCreation,
  again: () => PipelineCreation | null,
): Promise<Answer<Pipeline>> {
  const create = (body: PipelineCreation) => callOnce(context, 'pipeline.create', { body });
  const made = await create(pipeline);
  if (made.ok || made.fault.kind !== 'stale') return made;
  await canvas.loadNewest();
  const newest = again();
  if (newest && contentOf(newest) === contentOf(pipeline)) return create(newest);
  return { ok: false, fault: { ...made.fault, problem: { code: 'run.canvasChanged' } } };
}

/** The pipeline as a text, without the version of its canvas: nodes that were only moved make the same pipeline. */
export function contentOf({ canvasVersion: _, ...content }: PipelineCreation): string {
  return JSON.stringify(content);
}
