import { appendFileSync, writeSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded into a server before its own code. From the first statement that begins with `WRITES_FROM`, by default the first claim of an
 * `Idempotency-Key`, and that has the value `WRITES_WITH` where that is given, it counts the statements that write, by text. With `WRITE_LOG` it appends each to that file as a line of JSON. With `KILL_AT` it kills the process, as a power cut would,
 * before such a statement is sent or after PostgreSQL has answered it.
 */
export type WritePoint = {
  /** The statement, as `labelOf` makes it. */
  label: string;
  /** From 1. */
  occurrence: number;
};
export type KillPoint = WritePoint & { when: 'before' | 'after' };

/** The line that the server prints just before it kills itself. */
export const killedLine = 'Killed at a write.';

type Submitted = { text?: string; values?: unknown[]; point?: WritePoint };
type QueryPrototype = {
  submit: (this: Submitted, connection: object) => unknown;
  handleReadyForQuery: (this: Submitted & { _result?: { rowCount: number | null } }, connection: unknown) => void;
};

const logFile = process.env.WRITE_LOG;
const writesFrom = process.env.WRITES_FROM ?? 'INSERT INTO idempotency_keys';
const writesWith = process.env.WRITES_WITH;
const killAt = process.env.KILL_AT === undefined ? null : (JSON.parse(process.env.KILL_AT) as KillPoint);
if (logFile !== undefined || killAt !== null) watchWrites((pg as unknown as { Query: { prototype: QueryPrototype } }).Query.prototype);

function watchWrites(prototype: QueryPrototype): void {
  const { submit, handleReadyForQuery } = prototype;
  const counts = new Map<string, number>();
  /** The last write of each connection's transaction. A commit without one belongs to no run, and no kill waits for it. */
  const written = new WeakMap<object, string>();
  let isArmed = false;

  prototype.submit = function (connection) {
    const text = labelOf(this.text ?? '');
    const isCommit = /^COMMIT\b/i.test(text);
    const label = isCommit ? `${text} of ${written.get(connection)}` : text;
    isArmed ||= label.startsWith(writesFrom) && (writesWith === undefined || this.values?.includes(writesWith) === true);
    if (isArmed && (isCommit ? written.has(connection) : isWrite(label))) {
      const occurrence = (counts.get(label) ?? 0) + 1;
      counts.set(label, occurrence);
      this.point = { label, occurrence };
      killIf(this.point, 'before');
      written.set(connection, text);
    }
    if (/^(BEGIN|COMMIT|ROLLBACK)\b/i.test(text)) written.delete(connection);
    return submit.call(this, connection);
  };
  prototype.handleReadyForQuery = function (connection) {
    if (this.point) {
      const { label } = this.point;
      if (logFile !== undefined && (this._result?.rowCount !== 0 || !fetches.test(label)))
        appendFileSync(logFile, `${JSON.stringify(this.point)}\n`);
      killIf(this.point, 'after');
    }
    handleReadyForQuery.call(this, connection);
  };
}

function killIf({ label, occurrence }: WritePoint, when: KillPoint['when']): void {
  if (killAt?.label !== label || killAt.occurrence !== occurrence || killAt.when !== when) return;
  writeSync(1, `${killedLine}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** Periodic statements, which belong to no run: heartbeats, the search for lost jobs, statistics, and what removes old records. */
const upkeep =
  /SET heartbeat_on = \S+ FROM|monitor_claim_on|^WITH (due|budget|old\w*) AS|^(UPDATE|DELETE FROM) artel_queue\.(queue|version|instance)\b|^update "hooks_out" set "former_secrets" = \S+ where|^delete from "pipelines" where \(false|^DELETE FROM fires WHERE ctid/;
/** Fetches of jobs: a write only when one takes a job. */
const fetches = /FOR UPDATE OF j SKIP LOCKED/;

function isWrite(label: string): boolean {
  if (upkeep.test(label)) return false;
  return /^(INSERT|UPDATE|DELETE)\b/i.test(label) || /^WITH\b.*\b(INSERT INTO|UPDATE|DELETE FROM)\s/i.test(label);
}

/** The statement's text with collapsed spaces: equal for the same statement in every process. */
function labelOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
