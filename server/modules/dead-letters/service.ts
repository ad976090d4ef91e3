import type pg from 'pg';
import type { DeadLetter, RetriedWork } from '../../../contract/dead-letter.ts';
import { ApiError } from '../../http/api-error.ts';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import type { DeadJob, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { type DeadWork, deadWork } from './dead-work.ts';

/** Sets the work of a job going again: see `createRetryDeadExecution`. */
type Retry = (jobId: string, take: (run: RunStatement) => Promise<boolean>) => Promise<string | null>;

export type DeadLettersDeps = {
  pool: pg.Pool;
  run: RunStatement;
  queue: Pick<WorkQueue, 'deadJobs' | 'findDead' | 'takeDead'>;
  retryExecution: Retry;
  retryCommand: Retry;
};

/** Work that was given up after its last attempt, for staff to look at and to try again. */
export function createDeadLetters({ pool, run, queue, retryExecution, retryCommand }: DeadLettersDeps) {
  return {
    /** Newest first. */
    async list(page: { limit: number; offset: number }): Promise<{ items: DeadLetter[]; total: number }> {
      const { items, total } = await queue.deadJobs(page);
      const works = await deadWork(
        run,
        items.map(({ jobId }) => jobId),
      );
      return { items: items.map((dead) => toDeadLetter(dead, works.get(dead.jobId))), total };
    },

    /**
     * Sets the work going again from where it was: once, however many ask. Throws `not_found` when there is no such dead letter, as when
     * another caller was first, and `work_gone` when its execution or command is gone or has ended in another way.
     */
    async retry(id: string): Promise<RetriedWork> {
      const dead = await queue.findDead(id);
      if (!dead) throw new ApiError('not_found');
      const kind = kindOf(dead);
      const take = (within: RunStatement) => queue.takeDead(within, dead);
      const workId = await (kind === 'execution' ? retryExecution : retryCommand)(dead.jobId, take);
      if (workId !== null) return { kind, workId };
      throw new ApiError((await queue.findDead(id)) ? 'work_gone' : 'not_found');
    },

    /** Takes it off the list; its work stays as it is. Throws `not_found`. */
    async remove(id: string): Promise<void> {
      const dead = await queue.findDead(id);
      if (!dead || !(await transact(pool, (within) => queue.takeDead(within, dead)))) throw new ApiError('not_found');
    },
  };
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

function kindOf({ queue }: Pick<DeadJob, 'queue'>): DeadLetter['kind'] {
  return queue === 'execution' ? 'execution' : 'command';
}

function toDeadLetter(dead: DeadJob, work: DeadWork | undefined): DeadLetter {
  return {
    id: dead.id,
    kind: kindOf(dead),
    workId: work?.workId ?? null,
    email: work?.email ?? null,
    projectName: work?.projectName ?? null,
    stepsDone: work?.stepsDone ?? null,
    stepsTotal: work?.stepsTotal ?? null,
    reason: dead.reason,
    diedAt: dead.diedAt.toISOString(),
  };
}
