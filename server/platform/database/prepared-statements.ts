import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Db } from './database.ts';
import type { Statement } from './statement.ts';

/** Runs a statement and returns its rows: in its own transaction, or as part of another. */
export type RunStatement = (statement: Statement) => Promise<Record<string, unknown>[]>;

/** For frequent statements: PostgreSQL parses each text once a connection. The texts must be few; their values may be any. */
export function createPreparedStatements(pool: Pick<pg.Pool, 'query'> | pg.PoolClient): RunStatement {
  return async ({ text, values }) => {
    const { rows } = await pool.query<Record<string, unknown>>({ name: nameOf(text), text, values });
    return rows;
  };
}

/** Runs prepared statements in one transaction. */
export async function transact<T>(pool: pg.Pool, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('BEGIN');
    const value = await work(createPreparedStatements(client));
    await client.query('COMMIT');
    return value;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: Error) => {
      failure = lost;
    });
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Runs prepared statements in a transaction of the query builder. */
export function runIn(tx: Db): RunStatement {
  return async ({ text, values }) => {
    const prepared = tx._.session.prepareQuery({ sql: text, params: values }, undefined, nameOf(text), false);
    const { rows } = (await prepared.execute()) as pg.QueryResult<Record<string, unknown>>;
    return rows;
  };
}

const names = new Map<string, string>();

export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `artel_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}
