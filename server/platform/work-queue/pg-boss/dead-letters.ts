import type { RunStatement } from '../../database/prepared-statements.ts';
import { type DeadJob, givenUpQueues, type QueueName } from '../work-queue.ts';
import { collectingDead } from './job-table.ts';

const isGivenUp = `queue IN (${givenUpQueues.map((queue) => `'${queue}'`).join(', ')})`;
const selecting = `SELECT id, queue, job_id AS "jobId", group_id AS "group", reason, died_at AS "diedAt" FROM dead_letters`;

const removedAtOnce = 1_000;

/** The list of dead letters: the server's own table, so that backups include it. */
export class DeadLetters {
  readonly #run: RunStatement;

  constructor(run: RunStatement) {
    this.#run = run;
  }

  /** Moves jobs that have failed in all attempts here. */
  async collect(within: RunStatement = this.#run): Promise<void> {
    await within({ text: collectingDead, values: [] });
  }

  async find(id: string): Promise<DeadJob | null> {
    const [row] = await this.#run({ text: `${selecting} WHERE id = $1::uuid AND ${isGivenUp}`, values: [id] });
    return row ? (row as DeadJob) : null;
  }

  /** Returns the dead letters that wait for staff, newest first. */
  async list({ limit, offset }: { limit: number; offset: number }): Promise<{ items: DeadJob[]; total: number }> {
    const rows = await this.#run({
      text: `${selecting} WHERE ${isGivenUp} ORDER BY died_at DESC, id LIMIT $1 OFFSET $2`,
      values: [limit, offset],
    });
    const [counted] = await this.#run({ text: `SELECT count(*)::integer AS total FROM dead_letters WHERE ${isGivenUp}`, values: [] });
    return { items: rows as DeadJob[], total: Number(counted?.total ?? 0) };
  }

  /** Returns false when another caller was first. */
  async take(within: RunStatement, id: string): Promise<boolean> {
    return (await within({ text: 'DELETE FROM dead_letters WHERE id = $1::uuid RETURNING id', values: [id] })).length > 0;
  }

  /** Removes those of a queue but of the jobs that the query `kept` returns. */
  async keep(queue: QueueName, kept: string): Promise<void> {
    await this.#run({ text: `DELETE FROM dead_letters WHERE queue = $1 AND job_id NOT IN (${kept})`, values: [queue] });
  }

  async forget(within: RunStatement, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length > 0) await within({ text: 'DELETE FROM dead_letters WHERE job_id = ANY ($1::uuid[])', values: [jobIds] });
  }

  /** Removes those from before a moment, one batch. Returns whether there may be more. */
  async removeOld(before: Date): Promise<boolean> {
    const text = 'DELETE FROM dead_letters WHERE id IN (SELECT id FROM dead_letters WHERE died_at < $1 LIMIT $2) RETURNING id';
    return (await this.#run({ text, values: [before, removedAtOnce] })).length === removedAtOnce;
  }
}
