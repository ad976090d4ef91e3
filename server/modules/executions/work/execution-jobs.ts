import { runIn } from '../../../platform/database/prepared-statements.ts';
import type { WorkQueue } from '../../../platform/work-queue/work-queue.ts';
import type { Transition } from './transition.ts';

type Sending = { queue: Pick<WorkQueue, 'send'>; newId: () => string };

/** Sends the job that works from here to the next pause or end, or until only people are waited for. */
export async function sendExecutionJob({ queue, newId }: Sending, it: Transition, { singleStep }: { singleStep: boolean }): Promise<void> {
  const jobId = newId();
  it.set({ status: 'running', singleStep, jobId, leaseEpoch: it.row.leaseEpoch + 1 });
  await queue.send(runIn(it.tx()), 'execution', [{ id: jobId, group: it.row.userId }]);
}

/** Continues a run that has waited for people only. One that is at work notices the change itself; a paused one stays paused. */
export async function continueRun(sending: Sending, it: Transition): Promise<void> {
  const { status, jobId, singleStep } = it.row;
  if (status === 'running' && jobId === null) await sendExecutionJob(sending, it, { singleStep });
}

export async function cancelJob(queue: Pick<WorkQueue, 'cancel'>, { row, tx }: Transition): Promise<void> {
  if (row.jobId !== null) await queue.cancel(runIn(tx()), 'execution', [row.jobId]);
}
