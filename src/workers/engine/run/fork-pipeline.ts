import type { RunBeginning } from '../../../../contract/executions/execution.ts';
import type { ForkRequest } from '../../../../contract/executions/fork.ts';
import type { Pipeline } from '../../../../contract/executions/pipeline.ts';
import type { CommandResult } from '../../../model/commands.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { isMissing, refusal } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import { loadPart } from '../load-part.ts';
import { type CanvasOfRuns, contentOf, createPipelineOfCanvas, pipelineOfCanvas } from './pipeline-of-canvas.ts';
import { refusalOf } from './run-refusal.ts';

/** The pipeline of the canvas as it is now, in which a fork runs. The server has it before the fork, which is looked at first. */
export class ForkPipeline {
  readonly #context: EngineContext;
  readonly #canvas: CanvasOfRuns;
  #stored: { id: string; content: string; steps: Pipeline['steps']; begunWith: RunBeginning | undefined } | null = null;
  /** Calls are made one after another: a newer canvas takes the place of an older one. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(context: EngineContext, canvas: CanvasOfRuns) {
    this.#context = context;
    this.#canvas = canvas;
  }

  /**
   * Stores the pipeline for forks of a run, and returns its id. The same canvas is stored once. Without an id, the run has no card on the canvas
   * and its own pipeline is the one of now. `goesOn`: with all that follows, also where the run had its cards alone.
   */
  store(executionId: string, { goesOn = false } = {}): Promise<Outcome<CommandResult>> {
    return this.#inTurn(() => this.#store(executionId, goesOn));
  }

  /** Adds what the stored pipeline begins with to the request of a fork in it. */
  asked(request: ForkRequest): ForkRequest {
    const stored = this.#stored;
    return stored && stored.id === request.pipelineId ? { ...request, begunWith: stored.begunWith } : request;
  }

  /** Where a card begins in the stored pipeline; null where it has none. */
  placeOf(nodeId: string): ForkRequest['from'] {
    const step = this.#stored?.steps.find((one) => one.nodeId === nodeId);
    return step ? { stepId: step.id } : null;
  }

  /** A fork runs in this pipeline: it stays. */
  taken(pipelineId: string | undefined): void {
    if (this.#stored?.id === pipelineId) this.#stored = null;
  }

  /** Removes a pipeline in which no fork runs. */
  drop(): Promise<void> {
    return this.#inTurn(() => this.#remove());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #store(executionId: string, goesOn: boolean): Promise<Outcome<CommandResult>> {
    const { store, backend } = this.#context;
    const { project } = store.state;
    if (!project) return failed('workspace.opening');
    const details = await backend.call('execution.details', { params: { id: executionId } });
    if (!details.ok) return refusal(details.fault);
    const { pipelineId, steps } = details.value;
    const nodeIds = new Set(steps.flatMap(({ nodeId }) => nodeId ?? []));
    if (!Object.keys(store.document.nodes).some((id) => nodeIds.has(id))) return { ok: true, value: {} };
    const pipelineThen = await backend.call('pipeline.get', { params: { id: pipelineId } });
    if (!pipelineThen.ok && !isMissing(pipelineThen.fault)) return refusal(pipelineThen.fault);
    const configuration = pipelineThen.ok ? pipelineThen.value.configuration : null;
    const part = await loadPart(this.#context, () => import('./plan-as-then.ts'));
    if (!part) return failed('network');
    const plan = () => part.planAsThen(store, details.value, { nodeIds, configuration, goesOn });
    const unsettled = await this.#canvas.settle();
    if (unsettled) return { ok: false, error: unsettled };
    const planned = plan();
    if (!planned.ok) return { ok: false, error: refusalOf(planned.problems) };
    const pipeline = pipelineOfCanvas(this.#context, planned.plan, project);
    const content = contentOf(pipeline);
    const { begunWith } = planned.plan;
    if (this.#stored?.content === content) this.#stored.begunWith = begunWith;
    else {
      const made = await createPipelineOfCanvas(this.#context, this.#canvas, pipeline, () => {
        const newest = plan();
        return newest.ok ? pipelineOfCanvas(this.#context, newest.plan, project) : null;
      });
      if (!made.ok) return refusal(made.fault);
      await this.#remove();
      this.#stored = { id: made.value.id, content, steps: made.value.steps, begunWith };
    }
    return { ok: true, value: { pipelineId: this.#stored.id } };
  }

  /** A pipeline that could not be removed stays unused; it changes nothing. */
  async #remove(): Promise<void> {
    const id = this.#stored?.id;
    this.#stored = null;
    if (id !== undefined) await this.#context.backend.call('pipeline.remove', { params: { id } });
  }
}
