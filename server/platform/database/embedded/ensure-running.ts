import { readFile, stat, statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../processes/is-alive.ts';
import { connectionFailure } from '../connection-failure.ts';
import type { Binaries } from './binaries.ts';
import { type ClusterLocation, failureOf } from './cluster.ts';
import { type Endpoint, makeEndpoint, type Postmaster, runningPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { RecoveryWatch, recoveryProgress } from './recovery-watch.ts';

export type Launch = {
  place: ClusterLocation;
  binaries: Binaries;
  credentials: { user: string; password: string };
  logFile: string;
  note: (line: string) => void;
  /** Told what keeps PostgreSQL from answering. */
  onWait?: (reason: 'recovering' | 'restarting') => void;
};

const startLimitMs = 60_000;
/** The time between two log lines about a wait (ms). */
const noteEveryMs = 5_000;
/** The maximum of restarts of a PostgreSQL that ends immediately. */
const maxStarts = 3;
/** How long a PostgreSQL may run that cannot be connected to (ms). */
const maxUnreachableMs = 10_000;

/**
 * Adopts or starts PostgreSQL, and returns once a connection succeeds. It waits for one that is ending or holds its lock, and for
 * a recovery as long as that makes progress. Throws at once when it cannot start.
 */
export async function ensureRunning(launch: Launch, fixed: Endpoint | null): Promise<Postmaster> {
  const { place, credentials } = launch;
  const refusals = new Refusals(launch);
  let deadline = performance.now() + startLimitMs;
  let endpoint = fixed;
  let lastFailure: Failure | null = null;
  let starts = 0;
  while (performance.now() < deadline) {
    const found = await runningPostmaster(place.cluster);
    if (found) {
      const failure = await connectionFailure({ ...found, ...credentials, database: 'postgres' });
      if (failure === null && (!fixed || found.host === fixed.host)) return found;
      if (failure?.code === wrongPassword) throw new Error(`The database in ${place.cluster} refuses the password of this data folder.`);
      lastFailure = failure ?? { message: 'it listens at another place' };
      if (await refusals.mayStillAnswer(found, failure)) deadline = performance.now() + startLimitMs;
    } else {
      refusals.forget();
      launch.onWait?.('restarting');
      endpoint ??= await makeEndpoint(place);
      const ended = await startUntilItAnswers(launch, endpoint, deadline);
      if (ended === null) continue;
      lastFailure = ended;
      starts += 1;
      const otherServerEnds = /lock file|shared memory block/.test(ended.message);
      if (!otherServerEnds && (ended.code !== undefined || starts >= maxStarts)) throw ended;
    }
    await delay(100);
  }
  throw new Error(`PostgreSQL did not become ready in ${startLimitMs / 1000} s. ${lastFailure?.message ?? ''}`.trim());
}

/** How a PostgreSQL that runs has refused connections. */
class Refusals {
  readonly #launch: Launch;
  #unreachableSince: number | null = null;
  #recovery = new RecoveryWatch();
  #noteAt = performance.now() + noteEveryMs;

  constructor(launch: Launch) {
    this.#launch = launch;
  }

  /** A new PostgreSQL is started next. */
  forget(): void {
    this.#unreachableSince = null;
    this.#recovery = new RecoveryWatch();
  }

  /** Returns whether PostgreSQL recovers and makes progress. Ends one that makes none, and one that cannot be reached. */
  async mayStillAnswer(found: Postmaster, failure: Failure | null): Promise<boolean> {
    if (isRecovering(failure)) return this.#isRecoveryAlive(found, failure);
    this.#unreachableSince ??= performance.now();
    if (performance.now() - this.#unreachableSince <= maxUnreachableMs) return false;
    // It runs without its socket, which a cleaner of temporary folders may have removed: it must be restarted.
    await stopPostmaster(found, this.#launch.place.cluster);
    this.forget();
    return false;
  }

  async #isRecoveryAlive(found: Postmaster, failure: Failure): Promise<boolean> {
    const { place, logFile, note, onWait } = this.#launch;
    this.#unreachableSince = null;
    if (this.#recovery.isDue(performance.now())) {
      const progress = await recoveryProgress(found.pid, logFile);
      if (this.#recovery.isOver(progress, performance.now())) {
        note('PostgreSQL no longer recovers by itself; ending it and starting it again.');
        onWait?.('restarting');
        await stopPostmaster(found, place.cluster, 'immediate');
        this.forget();
        return true;
      }
    }
    onWait?.('recovering');
    if (performance.now() > this.#noteAt) {
      note(`Waiting for the database, which recovers from a crash: ${failure.message}.`);
      this.#noteAt = performance.now() + noteEveryMs;
    }
    return true;
  }
}

type Failure = { message: string; code?: unknown };

/** SQLSTATE of a wrong password. */
const wrongPassword = '28P01';

/** Whether PostgreSQL is replaying its log (SQLSTATE 57P03, which it also returns while it ends). */
function isRecovering(failure: Failure | null): failure is Failure {
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
