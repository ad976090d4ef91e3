import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { Recorder } from '../results/index.ts';
import { recordedRun } from './store/recorded-run.ts';
import { reopeningCalls } from './store/tool-call-rows.ts';
import type { RunTransition } from './transitions/transitions.ts';

type RetryDeps = { transition: RunTransition; queue: Pick<WorkQueue, 'send' | 'wake'>; recorder: Recorder; newId: () => string };

/**
 * Continues an execution whose attempts are used up, at its failed step. `take` removes the dead letter in the same transaction. It
 * returns false when another caller has removed it; then nothing changes. Returns the execution's id, or null when the execution was
 * removed or has not failed in this way.
 */
export function createRetryDeadExecution({ transition, queue, recorder, newId }: RetryDeps) {
  return async (jobId: string, take: (run: RunStatement) => Promise<boolean>): Promise<string | null> => {
    const done = await transition({ jobId }, async (change) => {
      const { row } = change;
      const failed = (await change.steps()).find(({ status, error }) => status === 'failed' && error?.code === 'attempts_exhausted');
      if (row.status !== 'failed' || row.error?.code !== 'attempts_exhausted' || !failed) return null;
      const run = runIn(change.tx());
      if (!(await take(run))) return null;
      const nextJob = newId();
      const step = await change.setStep(failed, {
        status: 'pending',
        error: null,
        // Its agent may have another model now.
        marks: null,
        completedAt: null,
        durationMs: null,
      });
      // Steps that were cancelled by the failure run again too.
      const cutOff = (await change.steps()).filter(
        ({ status, completedAt }) => status === 'cancelled' && completedAt?.getTime() === row.failedAt?.getTime(),
      );
      await change.setSteps(
        cutOff.map(({ stepId }) => stepId),
        { status: 'pending', completedAt: null },
      );
      // The steps go on from their stored turns: no call that has ended is made again, and one whose outcome is not known is asked about.
      change.addWrite(reopeningCalls([failed, ...cutOff].map(({ stepId }) => stepId)));
      change.set({
        status: row.startedAt === null ? 'pending' : 'running',
        error: null,
        failedAt: null,
        jobId: nextJob,
        leaseEpoch: row.leaseEpoch + 1,
      });
      change.record('execution.resumed', { step });
      change.addWrite(recorder.resumed(recordedRun(change.row, await change.steps())));
      await queue.send(run, 'execution', [{ id: nextJob, group: row.userId }]);
      return row.id;
    });
    if (done?.value) queue.wake('execution');
    return done?.value ?? null;
  };
}

export type RetryDeadExecution = ReturnType<typeof createRetryDeadExecution>;
