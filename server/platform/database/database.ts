import type pg from 'pg';
import type { NodePgDatabase, NodePgQueryResultHKT, PgInsertBase, PgInsertValue, PgTable } from './drizzle.ts';
import type { UniqueRows } from './unique-rows.ts';

/** Drizzle on the pool or on one of its transactions, for repositories. One statement inserts one row, or rows with unique keys. */
export type Db = Omit<NodePgDatabase, 'insert' | 'transaction'> & {
  insert: <Table extends PgTable>(table: Table) => Inserting<Table>;
  transaction: <Result>(work: (tx: Db) => Promise<Result>, config?: Parameters<NodePgDatabase['transaction']>[1]) => Promise<Result>;
};

type Inserting<Table extends PgTable> = {
  /** Written as a method, so that Drizzle's own builder, which takes any rows, has this type too. */
  values(rows: PgInsertValue<Table> | UniqueRows<PgInsertValue<Table>>): PgInsertBase<Table, NodePgQueryResultHKT>;
};

/** `running` also where an external database is away: this process knows no more. */
export type DatabaseState = 'running' | 'recovering' | 'restarting';

/** An open database, embedded or external. Each kind of work has its own connections, so that none waits for another. */
export type Database = {
  /** For API calls. Statements that only read use separate connections. */
  pool: pg.Pool;
  db: Db;
  /** For transactions that only read. */
  reads: Db;
  /** For the workers of executions and commands. */
  work: { pool: pg.Pool; db: Db };
  /** For single statements of calls and workers, several in one transaction. */
  batches: pg.Pool;
  /** For the work queue, and for checks of the database. */
  queue: pg.Pool;
  /** For the queue's confirmation of running jobs, whose waits are shorter than the time after which others take these jobs. */
  heartbeats: pg.Pool;
  /** For libraries that open their own connections. It holds the password: never log it. */
  connectionString: string;
  /** True when this process runs the database itself and no other process may use it. */
  embedded: boolean;
  /** Why the database does not answer, as far as this process knows: it runs an embedded one itself. */
  state: () => DatabaseState;
  /** For the start: resolves once the database answers again. Rejects when it does not come back in the time that a start waits. */
  untilAnswers: () => Promise<void>;
  /** Closes the pools and stops an embedded PostgreSQL. */
  close: () => Promise<void>;
};
