import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

/** Drizzle over the pool, or one transaction of it: what a repository is given. */
export type Db = NodePgDatabase;

/**
 * An open database, embedded or external: the record of everything Artel keeps. Each kind of work has connections of its own, so
 * that none waits behind another.
 */
export type Database = {
  /** Serves calls. What only reads goes to connections apart from those that write. */
  pool: pg.Pool;
  db: Db;
  /** For transactions that only read. */
  reads: Db;
  /** Carries out executions and commands. */
  work: { pool: pg.Pool; db: Db };
  /** Stores single statements of calls and of work, several in one transaction. */
  batches: pg.Pool;
  /** Carries the work queue with its heartbeats, and asks whether the database lives. */
  queue: pg.Pool;
  /** For libraries that open their own connections. It holds the password: never log it. */
  connectionString: string;
  /** True when this process runs the database itself and no other process may serve from it. */
  embedded: boolean;
  /** Ends the pools and, when embedded, stops PostgreSQL. */
  close: () => Promise<void>;
};
