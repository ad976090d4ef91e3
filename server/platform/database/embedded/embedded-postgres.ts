import { rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { makeDataFolder } from '../../files/make-data-folder.ts';
import { connectionFailure } from '../connection-failure.ts';
import { createClient } from '../create-connection.ts';
import type { DatabaseState } from '../database.ts';
import { isLostConnection, repeatWhenLost } from '../repeat-when-lost.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster, passwordOf, placeOf, superuser } from './cluster.ts';
import { ensureRunning, type Launch } from './ensure-running.ts';
import { AnotherServer, takeInstanceLock } from './instance-lock.ts';
import { type Endpoint, type Postmaster, runningPostmaster, stopPostmaster } from './postmaster.ts';
import { ownershipOf } from './postmaster-process.ts';

type Connection = Endpoint & { user: string; password: string; database: string };

type VisitedPostgres = { connection: Connection; stop: () => Promise<void> };

/** The pause between two attempts to start PostgreSQL again (ms). */
const restartPauseMs = 500;
/** The attempts of a server's start to get PostgreSQL and its lock. */
const maxFirstAttempts = 3;

/**
 * Runs PostgreSQL in the data folder: created at first use, and started, or adopted when a killed server left it running. It is
 * started again when it dies, and ended and started again when it no longer recovers. It listens on a private socket, or at `at`, a loopback address,
 * for more than one server. Throws when another server uses this folder.
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
  const postgres = new EmbeddedPostgres({ place, binaries, credentials: { user: superuser, password }, logFile, note }, dataDir);
  await postgres.start(at);
  return postgres;
}

type Owned = { postmaster: Postmaster; endpoint: Endpoint; lock: pg.Client };

/** The PostgreSQL of a data folder, which this server owns as long as it holds the lock in it. The lock is lost with PostgreSQL. */
class EmbeddedPostgres {
  readonly #launch: Launch;
  readonly #dataDir: string;
  #owned: Owned | null = null;
  #restarting: Promise<void> | null = null;
  #failure: Error | null = null;
  #state: DatabaseState = 'running';
  #isStopped = false;

  constructor(launch: Launch, dataDir: string) {
    this.#dataDir = dataDir;
    this.#launch = {
      ...launch,
      onWait: (reason) => {
        this.#state = reason;
      },
    };
  }

  get connection(): Connection {
    return { ...this.#running.endpoint, ...this.#launch.credentials, database: superuser };
  }

  get state(): DatabaseState {
    return this.#state;
  }

  async start(at: Endpoint | null): Promise<void> {
    try {
      await this.#ownFirst(at);
      await repeatWhenLost(
        () => ensureDatabase(this.connection),
        () => this.untilAnswers(),
      );
    } catch (error) {
      this.#isStopped = true;
      throw error;
    }
  }

  /** Resolves once PostgreSQL answers. Rejects when it was lost and could not be started again. */
  async untilAnswers(): Promise<void> {
    for (;;) {
      const failure = await connectionFailure(this.connection);
      if (failure === null) return;
      if (this.#failure || !isLostConnection(failure)) throw this.#failure ?? failure;
      await delay(100);
    }
  }

  /** Callers hand it on without its object. */
  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    await this.#restarting;
    const { postmaster, endpoint, lock } = this.#running;
    await lock.end().catch(() => {});
    await stopPostmaster(postmaster, this.#launch.place.cluster);
    if (endpoint.host.startsWith('/')) await rm(endpoint.host, { recursive: true, force: true });
  };

  get #running(): Owned {
    if (this.#owned === null) throw new Error('PostgreSQL was not started.');
    return this.#owned;
  }

  async #ownFirst(at: Endpoint | null): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#own(at);
      } catch (error) {
        // A server that was stopping has ended its PostgreSQL meanwhile, or it died: this one is started next.
        if (error instanceof AnotherServer || attempt === maxFirstAttempts) throw error;
      }
    }
  }

  /** Waits for PostgreSQL or starts it, and takes the lock. */
  async #own(fixed: Endpoint | null): Promise<void> {
    const postmaster = await ensureRunning(this.#launch, fixed);
    const { host, port } = postmaster;
    const endpoint = { host, port };
    const lock = await takeInstanceLock({ ...endpoint, ...this.#launch.credentials }, this.#dataDir);
    this.#owned = { postmaster, endpoint, lock };
    this.#state = 'running';
    lock.once('end', () => this.#onLost());
  }

  #onLost(): void {
    if (this.#isStopped || this.#restarting) return;
    this.#restarting = this.#restart().finally(() => {
      this.#restarting = null;
    });
  }

  async #restart(): Promise<void> {
    const { note, place } = this.#launch;
    const { postmaster, endpoint } = this.#running;
    const ownership = await ownershipOf(postmaster.pid, place.cluster, postmaster.startedAt);
    const hasEnded = ownership === 'gone' || ownership === 'foreign';
    this.#state = hasEnded ? 'restarting' : 'recovering';
    note(hasEnded ? 'PostgreSQL has ended; starting it again.' : 'PostgreSQL has closed its connections; waiting until it answers again.');
    while (!this.#isStopped) {
      try {
        await this.#own(endpoint);
        this.#failure = null;
        return;
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        if (failure.message !== this.#failure?.message) note(`PostgreSQL did not start again: ${failure.message}`);
        this.#failure = failure;
        await delay(restartPauseMs);
      }
    }
  }
}

/**
 * Opens the PostgreSQL of a data folder for a short use, beside a server that may be running on it. It is started if needed,
 * and stopped at the end, unless a server has taken it over. Throws when the folder has none.
 */
export async function visitEmbeddedPostgres(dataDir: string, note: (line: string) => void): Promise<VisitedPostgres> {
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

async function ensureDatabase(config: pg.ClientConfig): Promise<void> {
  const client = createClient({ ...config, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [superuser]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${superuser}`);
  } finally {
    await client.end().catch(() => {});
  }
}

async function shorten(logFile: string): Promise<void> {
  const info = await stat(logFile).catch(() => null);
  if (info && info.size > 10_000_000) await truncate(logFile, 0);
}
