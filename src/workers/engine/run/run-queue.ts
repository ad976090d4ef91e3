import { singleFlight } from '../../../../async/single-flight.ts';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import { nameOf } from '../../../../rules/card.ts';
import { resultsOf } from '../../../../rules/text/results-of.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { everyPage } from '../../../model/every-page.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { parallelSettingOf } from '../../../model/run/plan/parallel-limit.ts';
import { type PipelinePlan, planPipeline } from '../../../model/run/plan/pipeline-plan.ts';
import { dialogMessageOf, executionStartOf } from '../../../model/run/plan/run-payloads.ts';
import { markAsQueued, type QueuedRun, readQueueMark } from '../../../model/run/queued-run.ts';
import { emptyRun, isRunActive } from '../../../model/workspace-state.ts';
import { refusal } from '../backends/port.ts';
import { callOnce } from '../backends/retry-lost-call.ts';
import type { EngineContext } from '../engine-context.ts';
import { type CanvasOfRuns, createPipelineOfCanvas, pipelineOfCanvas } from './pipeline-of-canvas.ts';
import type { RunFollower } from './run-follower.ts';
import { listTooLong, refusalOf } from './run-refusal.ts';
import { warnWithoutTools } from './warn-without-tools.ts';

/** What starting and controlling a run works with. */
export type RunParts = { follower: RunFollower; queue: RunQueue; canvas: CanvasOfRuns };

/**
 * Messages of dialogs that start their own runs after the active one, oldest first. Each is an execution on the server that waits
 * for its start: it survives a reload and is the same in every tab. The server starts each only once. R41
 */
export class RunQueue {
  readonly #context: EngineContext;
  readonly #follower: Pick<RunFollower, 'follow' | 'showNewest'>;
  readonly #canvas: CanvasOfRuns;

  constructor(context: EngineContext, follower: Pick<RunFollower, 'follow' | 'showNewest'>, canvas: CanvasOfRuns) {
    this.#context = context;
    this.#follower = follower;
    this.#canvas = canvas;
  }

  /**
   * Adds a message. Resolves once the server has it. `followsId`: the execution that the follow-up run builds on; null for the dialog's own
   * run. `inputSetId`: the files that the user gives to it.
   */
  async add(dialog: CanvasNode, text: string, followsId: string | null, inputSetId?: string): Promise<Outcome> {
    const { store, backend, console, environment } = this.#context;
    const { project } = store.state;
    if (!project) return failed('workspace.opening');
    const unsettled = await this.#canvas.settle();
    if (unsettled) return { ok: false, error: unsettled };
    const planNow = () =>
      planPipeline(store.document, serverAgents(store.state.agents), store.working.node(dialog.id) ?? dialog, {
        targetOnly: followsId !== null,
        parallelSteps: parallelSettingOf(store.state.project),
      });
    const queuedPipelineOf = (plan: PipelinePlan) => {
      const pipeline = pipelineOfCanvas(this.#context, plan, project);
      return { ...pipeline, configuration: markAsQueued(pipeline.configuration ?? '', followsId) };
    };
    const planned = planNow();
    if (!planned.ok) return { ok: false, error: refusalOf(planned.problems) };
    const { plan } = planned;
    const tooLong = await listTooLong(this.#context, plan, text);
    if (tooLong) return { ok: false, error: tooLong };
    const pipeline = queuedPipelineOf(plan);
    await warnWithoutTools(this.#context, { project, plan, inputSetId });
    const made = await createPipelineOfCanvas(this.#context, this.#canvas, pipeline, () => {
      const newest = planNow();
      return newest.ok ? queuedPipelineOf(newest.plan) : null;
    });
    if (!made.ok) return refusal(made.fault);
    const message = dialogMessageOf(store.document, dialog, text, environment.now());
    const { startAfterMs: _, ...creation } = executionStartOf(plan, made.value.id, {
      task: text,
      message,
      holdHandOffs: project.holdHandOffs,
      inputSetId,
    });
    const waiting = await callOnce(this.#context, 'execution.create', { body: creation });
    if (!waiting.ok) {
      await backend.call('pipeline.remove', { params: { id: made.value.id } });
      return refusal(waiting.fault);
    }
    store.update(({ queue }) => {
      queue.push(queuedRun(waiting.value, followsId));
    });
    console.addEvent({ code: followsId === null ? 'run.queued' : 'run.followUpQueued', params: { dialog: nameOf(dialog) } });
    // The awaited run may have ended meanwhile.
    void this.startNext();
    return done;
  }

  /** Removes a message before its run has started. */
  async withdraw(executionId: string): Promise<Outcome> {
    const { store, backend } = this.#context;
    const queued = store.state.queue.find((one) => one.executionId === executionId);
    if (!queued) return failed('run.notQueued');
    const removed = await backend.call('execution.remove', { params: { id: executionId } });
    if (!removed.ok && removed.fault.status !== 404) {
      await this.load();
      return removed.fault.status === 409 ? failed('run.notQueued') : refusal(removed.fault);
    }
    this.#remove(executionId);
    await backend.call('pipeline.remove', { params: { id: queued.pipelineId } });
    return done;
  }

  /** Reads the queue from the server. Without an answer, the previous queue stays. */
  async load(): Promise<void> {
    const { store, backend } = this.#context;
    const { project } = store.state;
    if (!project) return;
    const listed = await everyPage((page) =>
      backend.call('execution.list', { query: { projectId: project.id, status: 'pending', ...page } }),
    );
    if (!listed.ok) return;
    const queue: QueuedRun[] = [];
    for (const execution of listed.value.filter(({ held }) => held).toReversed()) {
      const known = store.state.queue.find(({ executionId }) => executionId === execution.id);
      if (known) queue.push(known);
      else {
        const pipeline = await backend.call('pipeline.get', { params: { id: execution.pipelineId } });
        const mark = pipeline.ok ? readQueueMark(pipeline.value.configuration) : null;
        if (mark) queue.push(queuedRun(execution, mark.followsId));
      }
    }
    if (queue.length === 0 && store.state.queue.length === 0) return;
    store.update((draft) => {
      draft.queue = queue;
    });
  }

  /** Starts the run of the oldest message, if no run is active. */
  readonly startNext = singleFlight(async (): Promise<void> => {
    const { store, backend, signal } = this.#context;
    const follower = this.#follower;
    const known = store.state.queue;
    await this.load();
    const { queue } = store.state;
    if (isRunActive(store.state.run) || signal.aborted) return;
    // Another tab may have started it without a message to this tab.
    if (known.some(({ executionId }) => !queue.some((one) => one.executionId === executionId))) await follower.showNewest();
    const [next] = store.state.queue;
    if (!next || isRunActive(store.state.run)) return;
    const before = store.state.run;
    store.update((draft) => {
      draft.run = { ...emptyRun, phase: 'starting' };
    });
    const { executionId, pipelineId } = next;
    const given = await this.#giveResults(next);
    const started = given ? await callOnce(this.#context, 'execution.start', { body: { pipelineId, executionId } }) : null;
    const stopAsked = store.state.run.phase === 'stopping';
    if (!started?.ok) {
      store.update((draft) => {
        draft.run = before;
      });
      // Another tab may have started it, or taken it back.
      await this.load();
      return follower.showNewest();
    }
    this.#remove(executionId);
    if (stopAsked) await backend.call('execution.stop', { params: { id: executionId } });
    if (!signal.aborted) await follower.follow(started.value);
  });

  /** Gives a follow-up run the results of the run before it. The key makes the server do so once. False when the server did not take them. */
  async #giveResults({ executionId, dialogNodeId, followsId }: QueuedRun): Promise<boolean> {
    if (followsId === null) return true;
    const { store, backend } = this.#context;
    const details = await backend.call('execution.details', { params: { id: followsId } });
    // A run that was removed from the history has no results.
    if (!details.ok) return details.fault.status === 404;
    const context = {
      type: 'previous_results',
      source: 'workspace',
      executionId: followsId,
      content: resultsOf(details.value),
      dialogNodeId,
      projectId: store.state.project?.id ?? '',
    };
    const added = await backend.call('execution.addContext', {
      params: { id: executionId },
      body: context,
      idempotencyKey: `results-of-${followsId}-for-${executionId}`,
    });
    return added.ok;
  }

  #remove(executionId: string): void {
    this.#context.store.update((draft) => {
      draft.queue = draft.queue.filter((one) => one.executionId !== executionId);
    });
  }
}

function queuedRun({ id, pipelineId, dialogNodeId, initialTask }: Execution, followsId: string | null): QueuedRun {
  return { executionId: id, pipelineId, dialogNodeId, text: initialTask, followsId };
}
