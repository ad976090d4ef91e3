import type { Execution } from '../../../contract/executions/execution.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { settleSteps } from './graph/compiled-graph.ts';
import { toExecution } from './store/rows.ts';
import { assertBelowRunLimit } from './store/run-limit.ts';
import { sendExecutionJob } from './transitions/execution-jobs.ts';
import type { RunTransition } from './transitions/transitions.ts';

export type SingleStepDeps = {
  transition: RunTransition;
  queue: Pick<WorkQueue, 'insertJob' | 'wake'>;
  newId: () => string;
  maxStarted: number;
};

/** Names a step of an execution, and the caller. */
type SingleStep = {
  userId: OwnerId;
  executionId: string;
  stepId: string;
  language: Language;
  storeIdempotentResponse: StoreIdempotentResponse;
};

/**
 * Runs one named step of a paused execution, and pauses again. Only the next unfinished step can run: any other is refused with `conflict`,
 * and `details.nextStepId` names the next one. A failed step cannot run again in its execution.
 */
export async function runSingleStep({ transition, queue, newId, maxStarted }: SingleStepDeps, asked: SingleStep): Promise<Execution> {
  const { userId, executionId, stepId, language, storeIdempotentResponse } = asked;
  const done = await transition({ id: executionId, userId }, async (it) => {
    const steps = await it.steps();
    if (!steps.some((step) => step.stepId === stepId)) throw new ApiError('not_found');
    if (it.row.status !== 'paused') throw new ApiError('illegal_state', { details: { status: it.row.status } });
    const nextId = settleSteps(it.row, steps).ready[0]?.id;
    const next = steps.find((step) => step.stepId === nextId);
    if (next?.stepId !== stepId) {
      throw new ApiError('conflict', {
        errors: [{ path: 'stepId', message: translate(language, 'field.not_next_step', { step: next?.name ?? '' }) }],
        details: { status: it.row.status, nextStepId: next?.stepId ?? null },
      });
    }
    await assertBelowRunLimit(it.tx(), userId, maxStarted);
    it.record('execution.resumed');
    sendExecutionJob({ queue, newId }, it, { singleStep: true });
    await storeIdempotentResponse(it.tx(), toExecution({ ...it.row, updatedAt: it.now }));
  });
  if (!done) throw new ApiError('not_found');
  queue.wake('execution');
  return toExecution(done.row);
}
