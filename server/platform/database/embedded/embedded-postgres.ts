import { chmod, mkdir, readFile, rm, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectionFailure } from '../connection-failure.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, failureOf, type Place, passwordOf, placeOf, superuser } from './cluster.ts';
import { type Endpoint, makeEndpoint, type Postmaster, runningPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { isAlive, ownershipOf } from './postmaster-process.ts';

type Connection = Endpoint & { user: string; password: string; database: string };

type EmbeddedPostgres = { connection: Connection; stop: () => Promise<void> };

/** The lock of the one server of a data folder. */
const instanceLock = 4_118_500_000;
const startLimitMs = 60_000;
const watchIntervalMs = 500;
/** The time between two log lines about a wait (ms). */
const noteEveryMs = 5_000;
/** The maximum of restarts of a PostgreSQL that ends immediately. */
const maxStarts = 3;

/**
 * Runs PostgreSQL in the data folder: created at first use, and started, or adopted when a killed server left it running. It is
 * started again when it dies. It listens on a private socket, or at `at`, a loopback address, for more than one server.
 * Throws when another server uses this folder.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  note: (line: string) => void,
  at: Endpoint | null = null,
): Promise<EmbeddedPostgres> {
  await makeDataFolder(dataDir);
  const place = await placeOf(dataDir, note);
  const password = await passwordOf(dataDir, place);
  const binaries = await findBinaries(place.operator, note);
  await ensureCluster(place, binaries, password);
  const logFile = join(dataDir, 'postgres.log');
  await shorten(logFile);

  const credentials = { user: superuser, password };
  const own = async (fixed: Endpoint | null) => {
    for (let attempt = 1; ; attempt++) {
      const postmaster = await ensureRunning({ place, binaries, credentials, logFile, note }, fixed);
      const { host, port } = postmaster;
      try {
        return { postmaster, endpoint: { host, port }, lock: await takeInstanceLock({ host, port, ...credentials }, dataDir) };
      } catch (error) {
        // A server that was stopping has ended its PostgreSQL meanwhile: this one is started next.
        if (error instanceof AnotherServer || attempt === 3) throw error;
      }
    }
  };
  let { postmaster, endpoint, lock } = await own(at);
  await ensureDatabase({ ...endpoint, ...credentials });

  let stopped = false;
  let restarting: Promise<void> | null = null;
  let failure = '';
  const restartIfEnded = async () => {
    const { pid, startedAt } = postmaster;
    const ownership = await ownershipOf(pid, place.cluster, startedAt);
    if (stopped || (ownership !== 'gone' && ownership !== 'foreign')) return;
    if (failure === '') note('PostgreSQL has ended; starting it again.');
    try {
      ({ postmaster, endpoint, lock } = await own(endpoint));
      failure = '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== failure) note(`PostgreSQL did not start again: ${reason}`);
      failure = reason;
    }
  };
  // Asking another program about a process is slow: only where PostgreSQL has ended.
  const mayHaveEnded = () => process.platform === 'linux' || !isAlive(postmaster.pid);
  const watch = setInterval(() => {
    if (stopped || restarting || !mayHaveEnded()) return;
    restarting = restartIfEnded().finally(() => {
      restarting = null;
    });
  }, watchIntervalMs);
  watch.unref();

  return {
    connection: { ...endpoint, ...credentials, database: superuser },
    stop: async () => {
      stopped = true;
      clearInterval(watch);
      await restarting;
      await lock.end().catch(() => {});
      await stopPostmaster(postmaster, place.cluster);
      if (endpoint.host.startsWith('/')) await rm(endpoint.host, { recursive: true, force: true });
    },
  };
}

/**
 * Opens the PostgreSQL of a data folder for a short use, beside a server that may be running on it. It is started if needed,
 * and stopped at the end, unless a server has taken it over. Throws when the folder has none.
 */
export async function visitEmbeddedPostgres(dataDir: string, note: (line: string) => void): Promise<EmbeddedPostgres> {
  const made = await Promise.all(['postgres', 'postgres.location'].map((name) => stat(join(dataDir, name)).catch(() => null)));
  if (made.every((found) => found === null)) throw new Error(`There is no database in ${dataDir}.`);
  const place = await placeOf(dataDir, note);
  const credentials = { user: superuser, password: await passwordOf(dataDir, place) };
  const before = await runningPostmaster(place.cluster);
  const binaries = await findBinaries(place.operator, note);
  const logFile = join(dataDir, 'postgres.log');
  const postmaster = await ensureRunning({ place, binaries, credentials, logFile, note }, null);
  const { host, port } = postmaster;
  return {
    connection: { host, port, ...credentials, database: superuser },
    stop: async () => {
      if (before?.pid === postmaster.pid) return;
      const free = await takeInstanceLock({ host, port, ...credentials }, dataDir, 1).catch(() => null);
      if (!free) return;
      await free.end();
      await stopPostmaster(postmaster, place.cluster);
      if (host.startsWith('/')) await rm(host, { recursive: true, force: true });
    },
  };
}

/** Thrown when the data folder is in use. */
class AnotherServer extends Error {}

/** As root the folder can be entered, not read, by the account that runs PostgreSQL inside it. */
async function makeDataFolder(dataDir: string): Promise<void> {
  // For a read-only disk Node reports a missing parent folder, except for this one folder.
  const made = await mkdir(dataDir, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dataDir);
    return dataDir;
  });
  if (made) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}

type Launch = {
  place: Place;
  binaries: Binaries;
  credentials: { user: string; password: string };
  logFile: string;
  note: (line: string) => void;
};

/**
 * Adopts or starts PostgreSQL, and returns once a connection succeeds. It waits for one that is ending or holds its lock, and for
 * a recovery without limit. Throws at once when it cannot start.
 */
async function ensureRunning(launch: Launch, fixed: Endpoint | null): Promise<Postmaster> {
  const { place, credentials, note } = launch;
  let deadline = performance.now() + startLimitMs;
  let endpoint = fixed;
  let unreachableSince: number | null = null;
  let lastFailure: Failure | null = null;
  let starts = 0;
  let noteAt = performance.now() + noteEveryMs;
  while (performance.now() < deadline) {
    const found = await runningPostmaster(place.cluster);
    if (found) {
      const failure = await connectionFailure({ ...found, ...credentials, database: 'postgres' });
      if (failure === null && (!fixed || found.host === fixed.host)) return found;
      if (failure?.code === wrongPassword) throw new Error(`The database in ${place.cluster} refuses the password of this data folder.`);
      lastFailure = failure ?? { message: 'it listens at another place' };
      if (isRecovering(failure)) {
        deadline = performance.now() + startLimitMs;
        unreachableSince = null;
        if (performance.now() > noteAt) {
          note(`Waiting for the database, which recovers from a crash: ${failure?.message}.`);
          noteAt = performance.now() + noteEveryMs;
        }
      } else {
        unreachableSince ??= performance.now();
        // It runs without its socket, which a cleaner of temporary folders may have removed: it must be restarted.
        if (performance.now() - unreachableSince > 10_000) {
          await stopPostmaster(found, place.cluster);
          unreachableSince = null;
        }
      }
    } else {
      unreachableSince = null;
      endpoint ??= await makeEndpoint(place);
      const ended = await startUntilItAnswers(launch, endpoint, deadline);
      if (ended) {
        lastFailure = ended;
        starts += 1;
        const otherServerEnds = /lock file|shared memory block/.test(ended.message);
        if (!otherServerEnds && (ended.code !== undefined || starts === maxStarts)) throw ended;
      } else continue;
    }
    await delay(100);
  }
  throw new Error(`PostgreSQL did not become ready in ${startLimitMs / 1000} s. ${lastFailure?.message ?? ''}`.trim());
}

type Failure = { message: string; code?: unknown };

/** SQLSTATE of a wrong password. */
const wrongPassword = '28P01';

/** Whether PostgreSQL is replaying its log (SQLSTATE 57P03, which it also returns while it ends). */
function isRecovering(failure: Failure | null): boolean {
  return failure?.code === '57P03' && /starting up|in recovery|not yet accepting/.test(failure.message);
}

/** Starts PostgreSQL. Resolves with null once it answers a connection, or with its output when it ended before. */
async function startUntilItAnswers(launch: Launch, endpoint: Endpoint, deadline: number): Promise<(Error & Failure) | null> {
  const { place, binaries, credentials, logFile } = launch;
  const logged = (await stat(logFile).catch(() => null))?.size ?? 0;
  const child = await startPostmaster(place, binaries, endpoint, logFile);
  const answers = async () => {
    while (isAlive(child.pid) && performance.now() < deadline) {
      const failure = await connectionFailure({ ...endpoint, ...credentials, database: 'postgres' });
      if (failure === null || isRecovering(failure)) return;
      await delay(25);
    }
  };
  await Promise.race([child.exited, answers()]);
  if (isAlive(child.pid)) return null;
  const said = (await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(logged).toString('utf8');
  if (said.trim() === '' && !(await hasRoom(place.cluster))) return failureOf('No space left on device', place.cluster);
  return failureOf(said, place.cluster);
}

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail } = await statfs(folder);
  return bavail > 0;
}

async function takeInstanceLock(config: pg.ClientConfig, dataDir: string, attempts = 50): Promise<pg.Client> {
  const client = new pg.Client({ ...config, database: 'postgres' });
  // Lost only together with PostgreSQL, and taken again when it is back.
  client.on('error', () => {});
  await client.connect();
  // A killed server still holds the lock until PostgreSQL notices.
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
