import pg from 'pg';
import type { Db } from 'pg-boss';
import { createClient } from '../../database/create-connection.ts';
import type { RunStatement } from '../../database/prepared-statements.ts';

/** The pause before a lost listener reconnects (ms). Until then jobs are found by polling. */
const reconnectMs = 1_000;

type BossDatabaseDeps = {
  pool: pg.Pool;
  /** Runs prepared statements with values. */
  run: RunStatement;
  connectionString: string;
  /** Called when a job was sent to a queue; null for any queue, after the listener was disconnected. */
  onSent: (queue: string | null) => void;
  log: { warn: (about: object, line: string) => void };
};

/** The queue's own connections: it never waits for users' queries. */
export function bossDatabase({ pool, run, connectionString, onSent, log }: BossDatabaseDeps): Db {
  return {
    async executeSql(text: string, values?: unknown[]) {
      if (values !== undefined && values.length > 0) return { rows: await run({ text, values: [...values] }) };
      return pool.query(text);
    },

    async listen(channel: string) {
      let client: pg.Client | null = null;
      let timer: NodeJS.Timeout | null = null;
      let isClosed = false;

      const connect = async (): Promise<void> => {
        const next = createClient({ connectionString, keepAlive: true, keepAliveInitialDelayMillis: 10_000, application_name: 'artel' });
        client = next;
        next.on('error', (error) => log.warn({ err: error }, 'The connection that listens for jobs was lost; they are found by polling.'));
        next.on('end', reconnect);
        next.on('notification', ({ payload }) => onSent(payload ?? null));
        await next.connect();
        await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
        onSent(null);
      };
      const reconnect = (): void => {
        if (isClosed || timer) return;
        timer = setTimeout(() => {
          timer = null;
          connect().catch(() => reconnect());
        }, reconnectMs);
        timer.unref();
      };

      const close = async () => {
        isClosed = true;
        if (timer) clearTimeout(timer);
        await client?.end().catch(() => {});
      };
      // The start is repeated with a new listener: this one must not reconnect beside it.
      await connect().catch(async (error: unknown) => {
        await close();
        throw error;
      });
      return { close };
    },
  };
}

/** Wraps the caller's transaction for pg-boss. */
export function inTransaction(run: RunStatement): Db {
  return { executeSql: async (text, values = []) => ({ rows: await run({ text, values: [...values] }) }) };
}
