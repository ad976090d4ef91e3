import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Statement } from './statement.ts';

/** Runs a statement in its own transaction and answers the rows that it returned. */
export type RunStatement = (statement: Statement) => Promise<Record<string, unknown>[]>;

/** For statements that are run all the time: PostgreSQL parses each text once a connection. The texts must be few; their values may be any. */
export function createPreparedStatements(pool: pg.Pool): RunStatement {
  const names = new Map<string, string>();
  return async ({ text, values }) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `artel_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, name);
    }
    const { rows } = await pool.query<Record<string, unknown>>({ name, text, values });
    return rows;
  };
}
