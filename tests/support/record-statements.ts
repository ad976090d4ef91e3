import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Loaded into a server before its own code: appends each statement that it sends to the file `STATEMENT_LOG`, as a line of JSON with its text and with the
 * short texts among its values.
 */
export type SentStatement = { text: string; values: string[] };

type Submitted = { text?: string; values?: unknown[] };
type QueryPrototype = { submit: (this: Submitted, connection: object) => unknown };

const longestValue = 40;
const file = process.env.STATEMENT_LOG;
if (file !== undefined) recordStatements((pg as unknown as { Query: { prototype: QueryPrototype } }).Query.prototype, file);

function recordStatements(prototype: QueryPrototype, log: string): void {
  const { submit } = prototype;
  prototype.submit = function (connection) {
    const values = (this.values ?? []).filter((value) => typeof value === 'string' && value.length <= longestValue);
    appendFileSync(log, `${JSON.stringify({ text: (this.text ?? '').replace(/\s+/g, ' ').trim(), values })}\n`);
    return submit.call(this, connection);
  };
}

/** Returns the statements that a server has sent so far, in order. */
export function sentStatements(log: string): SentStatement[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  // The last line is empty, or not written to its end yet.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as SentStatement);
}
