import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';

/** Drizzle over the pool, or one transaction of it: what a repository is given. */
export type Db = NodePgDatabase;

/** An open database, embedded or external: the record of everything Artel keeps. */
export type Database = {
  pool: pg.Pool;
  db: Db;
  /** For libraries that open their own connections. It holds the password: never log it. */
  connectionString: string;
  /** True when this process runs the database itself and no other process may serve from it. */
  embedded: boolean;
  /** Ends the pool and, when embedded, stops PostgreSQL. */
  close: () => Promise<void>;
};
