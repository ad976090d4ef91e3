import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Execution } from '../../../../contract/execution.ts';
import { nameOf } from '../../../../rules/card.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { failed, type Outcome } from '../../../model/problem.ts';
import { dialogMessageOf } from '../../../model/run/dialog-message.ts';
import { planPipeline } from '../../../model/run/pipeline-plan.ts';
import { markAsQueued, type QueuedRun, readQueueMark, resultsOf } from '../../../model/run/queued-run.ts';
import { executionStartOf, pipelineOf } from '../../../model/run/run-payloads.ts';
import { emptyRun, isRunActive } from '../../../model/workspace-state.ts';
import type { Backend } from '../backends/port.ts';
import type { Environment } from '../environment.ts';
import type { Console } from '../store/console.ts';
import type { Store } from '../store/store.ts';
import { twice } from '../twice.ts';
import type { RunFollower } from './run-follower.ts';
import { refusalOf } from './start-run.ts';

type RunQueueOptions = {
  store: Store;
  backend: Backend;
  console: Console;
  environment: Pick<Environment, 'newId' | 'later' | 'now'>;
  projectId: string;
  follower: Pick<RunFollower, 'follow' | 'showNewest'>;
  leaving: AbortSignal;
};

/**
 * Dialogs' messages that start runs of their own after the run under way, oldest first. Each is an execution on the server that waits
 * for its start, so it survives a reload and is the same in every tab. The server starts each once, however many tabs ask. R41
 */
export class RunQueue {
  readonly #options: RunQueueOptions;
  #starting: Promise<void> | null = null;

  constructor(options: RunQueueOptions) {
    this.#options = options;
  }

  /** Accepted once the server has it. `followsId`: the execution that the target's follow-up run builds on; null for the dialog's own run. */
  async add(dialog: CanvasNode, text: string, followsId: string | null): Promise<Outcome> {
    const { store, backend, console, environment, projectId, leaving } = this.#options;
    const planned = planPipeline(store.document, serverAgents(store.state.agents), dialog, { targetOnly: followsId !== null });
    if (!planned.ok) return { ok: false, error: refusalOf(planned.problems) };
    const { plan } = planned;
    const pipeline = pipelineOf(plan, projectId, store.state.project?.name ?? '');
    const pipelineKey = { idempotencyKey: environment.newId() };
    const configuration = markAsQueued(pipeline.configuration, followsId);
    const made = await twice(environment, () => backend.createPipeline({ ...pipeline, configuration }, pipelineKey), leaving);
    if (!made.ok) return { ok: false, error: made.fault.problem };
    const message = dialogMessageOf(store.document, dialog, text, environment.now());
    const { startAfterMs: _, ...creation } = executionStartOf(plan, made.value.id, text, message);
    const key = { idempotencyKey: environment.newId() };
    const waiting = await twice(environment, () => backend.createExecution(creation, key), leaving);
    if (!waiting.ok) {
      await backend.removePipeline(made.value.id);
      return { ok: false, error: waiting.fault.problem };
    }
    store.update(({ queue }) => {
      queue.push(queuedRun(waiting.value, followsId));
    });
    console.says({ code: followsId === null ? 'run.queued' : 'run.followUpQueued', params: { dialog: nameOf(dialog) } });
    // The run that it was to wait for may have ended meanwhile.
    void this.startNext();
    return done;
  }

  /** Takes a message back before its run has started. */
  async withdraw(executionId: string): Promise<Outcome> {
    const { store, backend } = this.#options;
    const queued = store.state.queue.find((one) => one.executionId === executionId);
    if (!queued) return failed('run.notQueued');
    const removed = await backend.removeExecution(executionId);
    if (!removed.ok && removed.fault.status !== 404) {
      await this.load();
      return { ok: false, error: removed.fault.status === 409 ? { code: 'run.notQueued' } : removed.fault.problem };
    }
    this.#remove(executionId);
    await backend.removePipeline(queued.pipelineId);
    return done;
  }

  /** Reads from the server what waits. What was known stays when the server does not answer. */
  async load(): Promise<void> {
    const { store, backend, projectId } = this.#options;
    const listed = await backend.listWaiting(projectId);
    if (!listed.ok) return;
    const queue: QueuedRun[] = [];
    for (const execution of listed.value.toReversed()) {
      const known = store.state.queue.find(({ executionId }) => executionId === execution.id);
      if (known) queue.push(known);
      else {
        const pipeline = await backend.readPipeline(execution.pipelineId);
        const mark = pipeline.ok ? readQueueMark(pipeline.value.configuration) : null;
        if (mark) queue.push(queuedRun(execution, mark.followsId));
      }
    }
    if (queue.length === 0 && store.state.queue.length === 0) return;
    store.update((draft) => {
      draft.queue = queue;
    });
  }

  /** Starts the oldest message's run, where no run is under way. */
  startNext(): Promise<void> {
    this.#starting ??= this.#startNext().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startNext(): Promise<void> {
    const { store, backend, environment, follower, leaving } = this.#options;
    const known = store.state.queue;
    await this.load();
    const { queue } = store.state;
    if (isRunActive(store.state.run) || leaving.aborted) return;
    // Another tab may have started it, which this one may not hear of.
    if (known.some(({ executionId }) => !queue.some((one) => one.executionId === executionId))) await follower.showNewest();
    const [next] = store.state.queue;
    if (!next || isRunActive(store.state.run)) return;
    const before = store.state.run;
    store.update((draft) => {
      draft.run = { ...emptyRun, phase: 'starting' };
    });
    const { executionId, pipelineId } = next;
    const given = await this.#giveResults(next);
    const key = { idempotencyKey: environment.newId() };
    const started = given ? await twice(environment, () => backend.startExecution({ pipelineId, executionId }, key), leaving) : null;
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
    if (stopAsked) await backend.controlExecution(executionId, 'stop');
    if (!leaving.aborted) await follower.follow(started.value);
  }

  /** Hands a follow-up what the run before it did. The key makes it once, however often it is tried. False when the server did not take it. */
  async #giveResults({ executionId, dialogNodeId, followsId }: QueuedRun): Promise<boolean> {
    if (followsId === null) return true;
    const { backend, projectId } = this.#options;
    const details = await backend.readExecution(followsId);
    // A run that was removed from the history has no results to hand on.
    if (!details.ok) return details.fault.status === 404;
    const context = { type: 'previous_results', source: 'workspace', content: resultsOf(details.value), dialogNodeId, projectId };
    const added = await backend.addContext(executionId, context, { idempotencyKey: `results-of-${followsId}-for-${executionId}` });
    return added.ok;
  }

  #remove(executionId: string): void {
    this.#options.store.update((draft) => {
      draft.queue = draft.queue.filter((one) => one.executionId !== executionId);
    });
  }
}

const done: Outcome = { ok: true, value: undefined };

function queuedRun({ id, pipelineId, dialogNodeId, initialTask }: Execution, followsId: string | null): QueuedRun {
  return { executionId: id, pipelineId, dialogNodeId, text: initialTask, followsId };
}
