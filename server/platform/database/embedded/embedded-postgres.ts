import { chmod, mkdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, type Place, passwordOf, placeOf, superuser } from './cluster.ts';
import { type Endpoint, isAlive, makeEndpoint, runningPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';

export type Connection = Endpoint & { user: string; password: string; database: string };

export type EmbeddedPostgres = { connection: Connection; stop: () => Promise<void> };

/** Held by the one server that serves from a data folder. */
const instanceLock = 4_118_500_000;
const startLimitMs = 60_000;
const watchEveryMs = 500;

/**
 * Real PostgreSQL in the data folder: made at first use, started or, when a killed server left it running, adopted;
 * started again when it dies. It listens on a private socket, or at `at`, a loopback address, for more than one server.
 * Throws when another server already serves from this folder.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  note: (line: string) => void,
  at: Endpoint | null = null,
): Promise<EmbeddedPostgres> {
  await makeDataFolder(dataDir);
  const place = await placeOf(dataDir, note);
  const password = await passwordOf(dataDir);
  const binaries = await findBinaries(place.operator, note);
  await ensureCluster(place, binaries, password);
  const logFile = join(dataDir, 'postgres.log');
  await shorten(logFile);

  const credentials = { user: superuser, password };
  const own = async (fixed: Endpoint | null) => {
    for (let attempt = 1; ; attempt++) {
      const postmaster = await ensureRunning(place, binaries, credentials, logFile, fixed);
      const { host, port, pid } = postmaster;
      try {
        return { pid, endpoint: { host, port }, lock: await takeInstanceLock({ host, port, ...credentials }, dataDir) };
      } catch (error) {
        // A server that is just stopping took its PostgreSQL away under us: ours is started next.
        if (error instanceof AnotherServer || attempt === 3) throw error;
      }
    }
  };
  let { pid, endpoint, lock } = await own(at);
  await ensureDatabase({ ...endpoint, ...credentials });

  let stopped = false;
  let restarting: Promise<void> | null = null;
  const watch = setInterval(() => {
    if (stopped || restarting || isAlive(pid)) return;
    note('PostgreSQL has ended; starting it again.');
    restarting = (async () => {
      ({ pid, endpoint, lock } = await own(endpoint));
    })()
      .catch((error) => note(`PostgreSQL did not start again: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => {
        restarting = null;
      });
  }, watchEveryMs);
  watch.unref();

  return {
    connection: { ...endpoint, ...credentials, database: superuser },
    stop: async () => {
      stopped = true;
      clearInterval(watch);
      await restarting;
      await lock.end().catch(() => {});
      await stopPostmaster(pid);
      if (endpoint.host.startsWith('/')) await rm(endpoint.host, { recursive: true, force: true });
    },
  };
}

/**
 * The PostgreSQL of a data folder for a short visit, beside a server that may be running on it. It is started where it was not running,
 * and then stopped by the end of the visit, unless a server has taken it over meanwhile. Throws when there is none in the folder.
 */
export async function visitEmbeddedPostgres(dataDir: string, note: (line: string) => void): Promise<EmbeddedPostgres> {
  const made = await Promise.all(['postgres', 'postgres.location'].map((name) => stat(join(dataDir, name)).catch(() => null)));
  if (made.every((found) => found === null)) throw new Error(`There is no database in ${dataDir}.`);
  const place = await placeOf(dataDir, note);
  const credentials = { user: superuser, password: await passwordOf(dataDir) };
  const before = await runningPostmaster(place.cluster);
  const binaries = await findBinaries(place.operator, note);
  const { pid, host, port } = await ensureRunning(place, binaries, credentials, join(dataDir, 'postgres.log'), null);
  return {
    connection: { host, port, ...credentials, database: superuser },
    stop: async () => {
      if (before?.pid === pid) return;
      const free = await takeInstanceLock({ host, port, ...credentials }, dataDir, 1).catch(() => null);
      if (!free) return;
      await free.end();
      await stopPostmaster(pid);
      if (host.startsWith('/')) await rm(host, { recursive: true, force: true });
    },
  };
}

/** The data folder is in use. */
class AnotherServer extends Error {}

/** As root the folder is passable, not readable, for the account that runs PostgreSQL inside it. */
async function makeDataFolder(dataDir: string): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true });
  if (made) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Adopts or starts, and returns once a connection succeeds. A PostgreSQL that is still ending, or holds its lock, is waited for. */
async function ensureRunning(
  place: Place,
  binaries: Binaries,
  credentials: { user: string; password: string },
  logFile: string,
  fixed: Endpoint | null,
): Promise<Endpoint & { pid: number }> {
  const deadline = performance.now() + startLimitMs;
  let endpoint = fixed;
  let unreachableSince: number | null = null;
  let lastError = '';
  while (performance.now() < deadline) {
    const found = await runningPostmaster(place.cluster);
    if (found) {
      const failure = await tryConnect({ ...found, ...credentials });
      if (failure === null && (!fixed || found.host === fixed.host)) return found;
      lastError = failure ?? 'it listens at another place';
      unreachableSince ??= performance.now();
      // Alive without its socket, which a cleaner of temporary folders may have removed: it must start afresh.
      if (performance.now() - unreachableSince > 10_000) {
        await stopPostmaster(found.pid);
        unreachableSince = null;
      }
    } else {
      unreachableSince = null;
      endpoint ??= await makeEndpoint(place);
      const child = await startPostmaster(place, binaries, endpoint, logFile);
      await Promise.race([child.exited, waitForConnection({ ...endpoint, ...credentials }, deadline)]);
      if (!isAlive(child.pid)) lastError = await lastLines(logFile);
    }
    await delay(100);
  }
  throw new Error(`PostgreSQL did not become ready in ${startLimitMs / 1000} s. ${lastError}`.trim());
}

async function waitForConnection(config: pg.ClientConfig, deadline: number): Promise<void> {
  while (performance.now() < deadline && (await tryConnect(config)) !== null) await delay(25);
}

async function tryConnect(config: pg.ClientConfig): Promise<string | null> {
  const client = new pg.Client({ ...config, database: 'postgres', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function takeInstanceLock(config: pg.ClientConfig, dataDir: string, attempts = 50): Promise<pg.Client> {
  const client = new pg.Client({ ...config, database: 'postgres' });
  // Lost only together with PostgreSQL itself, and taken again when that is back.
  client.on('error', () => {});
  await client.connect();
  // A server killed a moment ago still holds the lock until PostgreSQL notices.
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [instanceLock]);
    if (rows[0]?.taken) return client;
    await delay(100);
  }
  await client.end();
  throw new AnotherServer(`Another Artel server is running on the data folder ${dataDir}. Stop it, or set another DATA_DIR.`);
}

async function ensureDatabase(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...config, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [superuser]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${superuser}`);
  } finally {
    await client.end();
  }
}

async function shorten(logFile: string): Promise<void> {
  const info = await stat(logFile).catch(() => null);
  if (info && info.size > 10_000_000) await truncate(logFile, 0);
}

async function lastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-3).join(' ');
}
