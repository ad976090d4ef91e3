import type pg from 'pg';
import { createPreparedStatements, type RunStatement, transact } from '../database/prepared-statements.ts';
import type { NewJob, QueueName, WorkQueue } from './work-queue.ts';

type RecoveryDeps = { pool: pg.Pool; queue: Pick<WorkQueue, 'send' | 'unfinishedJobs' | 'exhaustedJobs'> };

/** The unfinished work of one queue, as the tables of its module have it. */
type UnfinishedWork = {
  queue: QueueName;
  /** SQL of the table and the condition of work that has a job, or needs one. */
  table: string;
  /** The columns with the id of the job and with its group. */
  job: string;
  group: string;
  /** Fails the work of a job whose attempts are used up: the process that was to fail it has ended before it did. */
  bury: (jobId: string) => Promise<unknown>;
  /** Stores other ids for the new jobs in the same transaction. Without it they have those of their work. */
  assignJobs?: (run: RunStatement, workIds: readonly string[]) => Promise<string[]>;
};

/** Work that gets a job in one transaction. */
const batch = 500;

/**
 * Fails work whose attempts are used up, and sends jobs for work that has none, for example after a restore or an upgrade. So work continues also
 * without its job in the queue.
 */
export async function recoverWork({ pool, queue }: RecoveryDeps, work: UnfinishedWork): Promise<void> {
  const { table, job, group, bury } = work;
  const exhausted = await createPreparedStatements(pool)({
    text: `SELECT ${job} AS job FROM ${table} AND ${job} IN (${queue.exhaustedJobs()})`,
    values: [],
  });
  for (const row of exhausted) await bury(String(row.job));
  const withoutJob = `${job} IS NULL OR (${job} NOT IN (${queue.unfinishedJobs(work.queue)}) AND ${job} NOT IN (${queue.exhaustedJobs()}))`;
  const sendSome = (): Promise<number> =>
    transact(pool, async (run) => {
      const rows = await run({
        text: `SELECT id, ${group} AS owner FROM ${table} AND (${withoutJob}) ORDER BY created_at LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
        values: [],
      });
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => String(id));
      const jobIds = work.assignJobs ? await work.assignJobs(run, ids) : ids;
      const jobs = rows.map(({ owner }, index): NewJob => ({ id: String(jobIds[index]), group: String(owner) }));
      await queue.send(run, work.queue, jobs);
      return rows.length;
    });
  while ((await sendSome()) === batch);
}
