import { writeSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded into a server before its own code. It suspends the process once, at a job: with FREEZE_AT=fetching when PostgreSQL has answered
 * the statement that takes the job, before its transaction ends; with FREEZE_AT=fetched after that, before the job begins.
 */
export type FreezePoint = 'fetching' | 'fetched';

/** The line that the server prints just before it suspends itself. */
export const frozenLine = 'Frozen at a job.';

type Answered = { text?: string; _result?: { rowCount: number | null } };
type QueryPrototype = { handleReadyForQuery: (this: Answered, connection: object) => void };

const point = process.env.FREEZE_AT as FreezePoint | undefined;
if (point !== undefined) watchFetches((pg as unknown as { Query: { prototype: QueryPrototype } }).Query.prototype, point);

function watchFetches(prototype: QueryPrototype, at: FreezePoint): void {
  const { handleReadyForQuery } = prototype;
  const taking = new WeakSet<object>();
  let isOver = false;

  prototype.handleReadyForQuery = function (connection) {
    const hasTaken = /FOR UPDATE OF j SKIP LOCKED/.test(this.text ?? '') && this._result?.rowCount !== 0;
    if (hasTaken) taking.add(connection);
    const isHere = at === 'fetching' ? hasTaken : this.text === 'COMMIT' && taking.has(connection);
    if (isHere && !isOver) {
      isOver = true;
      writeSync(1, `${frozenLine}\n`);
      process.kill(process.pid, 'SIGSTOP');
    }
    handleReadyForQuery.call(this, connection);
  };
}
