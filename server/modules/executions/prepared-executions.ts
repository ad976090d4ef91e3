import type { z } from 'zod';
import type { Execution, executionSettings } from '../../../contract/executions/execution.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { CallerKey, StoreIdempotentResponse } from '../../http/call.ts';
import { eq } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { Recorder } from '../results/index.ts';
import { type AskedRun, type NewExecutionDeps, newExecution } from './store/new-execution.ts';
import { recordedRun } from './store/recorded-run.ts';
import { toExecution } from './store/rows.ts';
import { assertBelowRunLimit } from './store/run-limit.ts';
import type { StoreNew } from './store/store-new.ts';
import { executions } from './store/tables.ts';
import { noteTask, wordsOfCaller } from './store/word-sources.ts';
import type { Transition } from './transitions/transition.ts';
import type { RunTransition } from './transitions/transitions.ts';

type PreparedExecutionsDeps = NewExecutionDeps & {
  storeNew: StoreNew;
  transition: RunTransition;
  recorder: Recorder;
  queue: Pick<WorkQueue, 'send' | 'wake'>;
  /** The maximum of started and unfinished executions of one account. */
  maxStarted: number;
};

type Settings = z.output<typeof executionSettings>;

/** Creates executions that start later, and changes executions that no worker holds. */
export function createPreparedExecutions(deps: PreparedExecutionsDeps) {
  const { storeNew, transition, recorder, queue, newId, maxStarted } = deps;

  const change = async <T>(userId: OwnerId, id: string, work: (change: Transition) => Promise<T>) => {
    return orNotFound(await transition({ id, userId }, work));
  };

  return {
    /** Stores an execution that waits for its start. It is not in the history until then. */
    async create(asked: AskedRun, keep: StoreIdempotentResponse | null) {
      const made = await newExecution(deps, asked, null);
      const answer = toExecution(made.row);
      if ((await storeNew(made, keep && ((tx) => keep(tx, answer)))) !== 'stored') throw new ApiError('not_found');
      return answer;
    },

    /** Starts a waiting execution of the pipeline, with the agents that were copied at its creation. */
    async start(userId: OwnerId, id: string, pipelineId: string, storeIdempotentResponse: StoreIdempotentResponse): Promise<Execution> {
      const done = await change(userId, id, async (it) => {
        if (it.row.pipelineId !== pipelineId) throw new ApiError('not_found');
        if (!isWaiting(it)) throw refused(it);
        await assertBelowRunLimit(it.tx(), userId, maxStarted);
        const jobId = newId();
        it.set({ notStarted: false, jobId });
        await queue.send(runIn(it.tx()), 'execution', [{ id: jobId, group: userId }]);
        const steps = await it.steps();
        it.addWrite(recorder.started(recordedRun(it.row, steps)));
        await storeIdempotentResponse(it.tx(), toExecution({ ...it.row, updatedAt: it.now }));
      });
      queue.wake('execution');
      return toExecution(done.row);
    },

    /** Changes the task until the start; until then and during a pause also priority, time limit and pauses. */
    async update(userId: OwnerId, id: string, settings: Settings, key: CallerKey | undefined): Promise<Execution> {
      const done = await change(userId, id, async (it) => {
        const fits = isWaiting(it) || (it.row.status === 'paused' && settings.initialTask === undefined);
        if (!fits) throw refused(it);
        const { initialTask, priority, timeoutSeconds, pauseBetweenStepsMs } = { ...it.row, ...settings };
        it.set({ initialTask, priority, timeoutSeconds, pauseBetweenStepsMs });
        if (settings.initialTask !== undefined) noteTask(it, wordsOfCaller(key));
      });
      return toExecution(done.row);
    },

    /** Removes an execution that has ended or never started, with its log, files and history item. */
    async remove(userId: OwnerId, id: string): Promise<void> {
      await change(userId, id, async (it) => {
        const ended = it.row.status === 'completed' || it.row.status === 'failed' || it.row.status === 'cancelled';
        if (!ended && !isWaiting(it)) throw refused(it);
        await it.tx().delete(executions).where(eq(executions.id, id));
      });
    },
  };
}

export type PreparedExecutions = ReturnType<typeof createPreparedExecutions>;

function isWaiting({ row }: Transition): boolean {
  return row.status === 'pending' && row.notStarted;
}

function refused({ row }: Transition): ApiError {
  return new ApiError('illegal_state', { details: { status: row.status } });
}
