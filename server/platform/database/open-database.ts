import { setTimeout as delay } from 'node:timers/promises';
import { connectionFailure } from './connection-failure.ts';
import type { Database } from './database.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { openPools } from './open-pools.ts';
import { isOutage } from './retry-on-outage.ts';

type DatabaseChoice =
  | { kind: 'embedded'; dataDir: string }
  /** `waitMs`: how long an unavailable external database is waited for (none without it). */
  | { kind: 'external'; url: string; waitMs?: number; signal?: AbortSignal };

/** The time between two attempts to connect, and between two log lines about it (ms). */
const tryEveryMs = 500;
const noteEveryMs = 5_000;

/**
 * Opens the database and resolves once it can be queried.
 * A later loss never ends the process: queries fail until it is back. `note` gets messages for the operator.
 */
export async function openDatabase(choice: DatabaseChoice, note: (line: string) => void): Promise<Database> {
  if (choice.kind === 'external') {
    await reach(choice, note);
    const { end, ...pools } = openPools({ connectionString: choice.url }, note);
    return {
      ...pools,
      connectionString: choice.url,
      embedded: false,
      state: () => 'running',
      untilAnswers: () => reach(choice, note),
      close: end,
    };
  }
  const postgres = await startEmbeddedPostgres(choice.dataDir, note);
  const { connection } = postgres;
  const { end, ...pools } = openPools(connection, note);
  return {
    ...pools,
    connectionString: urlOf(connection),
    embedded: true,
    state: () => postgres.state,
    untilAnswers: () => postgres.untilAnswers(),
    close: async () => {
      await end();
      await postgres.stop();
    },
  };
}

/**
 * Resolves once the database answers. It waits for one that is unavailable, starting or recovering. It fails for one that refuses the
 * account or does not exist.
 */
async function reach({ url, waitMs = 0, signal }: DatabaseChoice & { kind: 'external' }, note: (line: string) => void): Promise<void> {
  const deadline = performance.now() + waitMs;
  let noteAt = performance.now();
  for (;;) {
    const failure = await connectionFailure({ connectionString: url, query_timeout: 5_000 });
    if (failure === null) return;
    const reason = failure.message || String(failure.code);
    if (!isOutage(failure)) throw new Error(`The database of DATABASE_URL refuses this server: ${reason}.`, { cause: failure });
    const left = deadline - performance.now();
    if (left <= 0 || signal?.aborted) throw new Error(`The database of DATABASE_URL cannot be reached: ${reason}.`, { cause: failure });
    if (performance.now() >= noteAt) {
      note(`Waiting for the database of DATABASE_URL, ${Math.ceil(left / 1_000)} s more: ${reason}.`);
      noteAt = performance.now() + noteEveryMs;
    }
    await delay(Math.min(tryEveryMs, left), undefined, { signal }).catch(() => {});
  }
}

function urlOf(connection: { host: string; port: number; user: string; password: string; database: string }): string {
  const { host, port, user, password, database } = connection;
  if (!host.startsWith('/')) return `postgresql://${user}:${password}@${host}:${port}/${database}`;
  return `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}
