import type pg from 'pg';
import { type DeadLetter, deadLetter, type RetriedWork } from '../../../contract/executions/dead-letter.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import { type RunStatement, transact } from '../../platform/database/prepared-statements.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { DeadJob, WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { type DeadWork, deadWork } from './dead-work.ts';

/** Continues the work of a job: see `createRetryDeadExecution`. */
type Retry = (jobId: string, take: (run: RunStatement) => Promise<boolean>) => Promise<string | null>;

type DeadLettersDeps = {
  pool: pg.Pool;
  run: RunStatement;
  queue: Pick<WorkQueue, 'deadJobs' | 'findDead' | 'takeDead'>;
  retries: Readonly<Record<DeadLetter['kind'], Retry>>;
};

/** Work that failed after its last attempt. Staff can list and retry it. */
export function createDeadLetters({ pool, run, queue, retries }: DeadLettersDeps) {
  return {
    /** Returns dead letters, newest first. */
    async list(page: { limit: number; offset: number }): Promise<{ items: DeadLetter[]; total: number }> {
      const { items, total } = await queue.deadJobs(page);
      const works = await deadWork(
        run,
        items.map(({ jobId }) => jobId),
      );
      return { items: items.map((dead) => toDeadLetter(dead, works.get(dead.jobId))), total };
    },

    /**
     * Continues the work where it failed; of several callers only one succeeds. Throws `not_found` for an unknown dead letter, also after
     * another caller's retry, and `work_gone` when its work was removed or has ended in another way.
     */
    async retry(id: string): Promise<RetriedWork> {
      const dead = orNotFound(await queue.findDead(id));
      const take = (within: RunStatement) => queue.takeDead(within, dead);
      const workId = await retries[dead.queue](dead.jobId, take);
      if (workId !== null) return { kind: dead.queue, workId };
      throw new ApiError((await queue.findDead(id)) ? 'work_gone' : 'not_found');
    },

    /** Removes it from the list; its work stays as it is. Throws `not_found`. */
    async remove(id: string): Promise<void> {
      const dead = await queue.findDead(id);
      if (!dead || !(await transact(pool, (within) => queue.takeDead(within, dead)))) throw new ApiError('not_found');
    },
  };
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

const showDeadLetter = viewOf(deadLetter);

function toDeadLetter(dead: DeadJob, work: DeadWork | undefined): DeadLetter {
  const gone = { workId: null, email: null, projectName: null, stepsDone: null, stepsTotal: null };
  return showDeadLetter({ ...dead, ...(work ?? gone) }, { kind: dead.queue });
}
