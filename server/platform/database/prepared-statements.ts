import { createHash } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';

/** Runs a statement in its own transaction and answers how many rows it returned. */
export type RunStatement = (statement: SQL) => Promise<number>;

/** For statements that are run all the time: PostgreSQL parses each text once a connection. The texts must be few; their values may be any. */
export function createPreparedStatements(pool: pg.Pool): RunStatement {
  const dialect = new PgDialect();
  const names = new Map<string, string>();
  return async (statement) => {
    const { sql: text, params: values } = dialect.sqlToQuery(statement);
    let name = names.get(text);
    if (name === undefined) {
      name = `artel_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, name);
    }
    const { rows } = await pool.query({ name, text, values });
    return rows.length;
  };
}
