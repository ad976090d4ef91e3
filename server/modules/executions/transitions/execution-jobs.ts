import { runIn } from '../../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { Transition } from './transition.ts';

type Sending = { queue: Pick<WorkQueue, 'insertJob'>; newId: () => string };

/** Stores the job that works from here to the next pause or end, or until only people are waited for, in the transition's own statement. */
export function sendExecutionJob({ queue, newId }: Sending, it: Transition, { singleStep }: { singleStep: boolean }): void {
  const jobId = newId();
  it.set({ status: 'running', singleStep, jobId, leaseEpoch: it.row.leaseEpoch + 1 });
  const { userId } = it.row;
  it.addWrite((source, place) => queue.insertJob('execution', { id: jobId, group: userId }, { source, place }));
}

/** Continues a run that has waited for people only. One that is at work notices the change itself; a paused one stays paused. */
export function continueRun(sending: Sending, it: Transition): void {
  const { status, jobId, singleStep } = it.row;
  if (status === 'running' && jobId === null) sendExecutionJob(sending, it, { singleStep });
}

export async function cancelJob(queue: Pick<WorkQueue, 'cancel'>, { row, tx }: Transition): Promise<void> {
  if (row.jobId !== null) await queue.cancel(runIn(tx()), 'execution', [row.jobId]);
}
