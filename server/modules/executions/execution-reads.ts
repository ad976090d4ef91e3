import type { z } from 'zod';
import {
  type Execution,
  type ExecutionMemory,
  type ExecutionStatistics,
  type executionQuery,
  stepStatuses,
} from '../../../contract/executions/execution.ts';
import { ApiError } from '../../http/api-error.ts';
import { JsonText, type Language } from '../../http/call.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { ComputeThread } from '../../platform/processes/compute-thread.ts';
import type { Pipelines } from '../pipelines/index.ts';
import type { FilesOfExecutions } from './files/execution-files.ts';
import { linksTask } from './graph/links-of-run.ts';
import type { ExecutionRepository } from './store/repository.ts';
import { type ExecutionRow, progressOf, type StepRow } from './store/rows.ts';
import { sumUsage } from './store/sum-usage.ts';
import { isTester } from './test-runs/test-runs.ts';

type ExecutionReadsDeps = {
  repository: ExecutionRepository;
  pipelines: Pick<Pipelines, 'owned'>;
  files: Pick<FilesOfExecutions, 'list' | 'sizes'>;
  thread: Pick<ComputeThread, 'compute'>;
  now: () => Date;
};

type Page = Pick<z.output<typeof executionQuery>, 'limit' | 'offset'>;

/** Reads statistics and memory of a user's executions. */
export function createExecutionReads({ repository, pipelines, files, thread, now }: ExecutionReadsDeps) {
  return {
    /** Returns executions of a pipeline, newest first; also of a removed pipeline. */
    async ofPipeline(userId: OwnerId, pipelineId: string, page: Page): Promise<{ items: Execution[]; total: number }> {
      if (!(await pipelines.owned(userId, pipelineId))) throw new ApiError('not_found');
      return repository.list(userId, { pipelineId, ...page });
    },

    async statistics(userId: OwnerId, id: string): Promise<ExecutionStatistics> {
      const { row, steps, contexts } = await repository.whole(userId, id).then(found);
      return { ...statisticsOf(row, steps, now()), contexts: contexts.length, files: await files.sizes(id) };
    },

    /** Returns the links that an execution follows, with their states; none for steps that run one after another. */
    async links(userId: OwnerId, id: string): Promise<JsonText> {
      const { graph, steps, count, status } = await repository.graphTexts(userId, id).then(found);
      if (graph === null) return new JsonText('[]');
      const hasEnded = status === 'completed' || status === 'failed' || status === 'cancelled';
      return new JsonText(await thread.compute(linksTask, count, { graph, steps, hasEnded }));
    },

    /** Returns the task, the results of finished steps, and the texts that users added. */
    async memory(userId: OwnerId, id: string, language: Language): Promise<ExecutionMemory> {
      const { row, steps, contexts } = await repository.whole(userId, id).then(found);
      return {
        executionId: id,
        task: row.initialTask,
        contexts: contexts.map(({ executionId: _executionId, createdAt, ...context }) => ({
          ...context,
          createdAt: createdAt.toISOString(),
        })),
        results: steps.flatMap(({ stepId, orderIndex, name, agentId, agentTitle, role, result, simulated, testRun }) =>
          result === null
            ? []
            : [
                {
                  stepId,
                  orderIndex,
                  name,
                  agentId,
                  agentTitle,
                  role,
                  text: result,
                  simulated,
                  executed: isTester(role) ? testRun?.state === 'ended' && !testRun.simulated : null,
                },
              ],
        ),
        files: (await files.list(userId, id, language)).files,
      };
    },
  };
}

export type ExecutionReads = ReturnType<typeof createExecutionReads>;

function found<T>(value: T | null): T {
  if (value === null) throw new ApiError('not_found');
  return value;
}

function statisticsOf(row: ExecutionRow, steps: readonly StepRow[], now: Date): Omit<ExecutionStatistics, 'contexts' | 'files'> {
  const timed = steps.flatMap(({ stepId, name, durationMs }) => (durationMs === null ? [] : [{ stepId, name, durationMs }]));
  const attempts = steps.reduce((sum, step) => sum + step.attempts, 0);
  const end = row.completedAt ?? row.failedAt ?? now;
  const spent = timed.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    executionId: row.id,
    status: row.status,
    progress: progressOf(row),
    totalSteps: steps.length,
    steps: Object.fromEntries(
      stepStatuses.map((status) => [status, steps.filter((step) => step.status === status).length]),
    ) as ExecutionStatistics['steps'],
    attempts,
    retries: steps.reduce((sum, step) => sum + Math.max(0, step.attempts - 1), 0),
    tokenUsage: sumUsage([...steps]),
    activeMs: row.activeMs,
    elapsedMs: row.startedAt === null ? null : elapsedBetween(row.startedAt, end),
    averageStepMs: timed.length === 0 ? null : Math.round(spent / timed.length),
    longestStep: timed.toSorted((one, other) => other.durationMs - one.durationMs)[0] ?? null,
    simulatedSteps: steps.filter(({ simulated }) => simulated).length,
    events: row.lastSeq,
  };
}
