import pg from 'pg';

export type PoolLimits = {
  /** Connections at once. */
  max: number;
  /** Callers that may wait for a connection at once; one more is refused. */
  maxWaiting: number;
  /** How long a caller waits for a connection (ms). */
  waitMs: number;
  /** How long PostgreSQL works on one statement (ms), time in which it waits for locks included. */
  statementMs: number;
  /** How long a statement waits for a lock (ms); without it as long as it may work. */
  lockMs?: number;
};

/** A statement whose answer does not come is given up so much later than PostgreSQL itself should have ended it (ms). */
const answerMs = 3_000;

/**
 * A pool in which every wait has an end: for a connection, for a statement, for an answer from a database that hangs. What takes longer
 * fails as an outage does. A connection that is lost or hangs while a caller holds it goes back at once, to be thrown away, also when the
 * caller forgets it (the query builder forgets one whose BEGIN failed). Without this the error would end the process, and each
 * forgotten connection would be missing from the pool for good.
 */
export class SteadyPool extends pg.Pool {
  readonly #maxWaiting: number;

  constructor(connection: pg.PoolConfig, limits: PoolLimits) {
    super({
      ...connection,
      max: limits.max,
      connectionTimeoutMillis: limits.waitMs,
      query_timeout: limits.statementMs + answerMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'artel',
      Client: SteadyClient as unknown as new () => pg.ClientBase,
      // By a statement, since poolers such as PgBouncer refuse connections that set it while they are opened.
      onConnect: async (client) => {
        const locks = limits.lockMs === undefined ? '' : `; SET lock_timeout = ${limits.lockMs}`;
        await client.query(`SET statement_timeout = ${limits.statementMs}${locks}`);
      },
    });
    this.#maxWaiting = limits.maxWaiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (this.waitingCount >= this.#maxWaiting) {
      const refusal = new PoolExhausted();
      if (!callback) return Promise.reject(refusal);
      callback(refusal, undefined, () => {});
      return undefined;
    }
    if (!callback) return super.connect().then(releasedWhenLost);
    super.connect(callback);
    return undefined;
  }
}

/** More callers wait for a connection than may. Its code is the one with which PostgreSQL refuses a connection too many. */
class PoolExhausted extends Error {
  readonly code = '53300';

  constructor() {
    super('Too many callers wait for a database connection.');
  }
}

/**
 * Ends its connection when an answer does not come, since what is asked later would wait behind it, and when the database takes no
 * writes: after a failover the next connection may lead to the one that does.
 */
class SteadyClient extends pg.Client {
  override query = ((...given: Parameters<pg.Client['query']>) => {
    const answer: unknown = super.query(...given);
    if (answer instanceof Promise) {
      answer.catch((error: { message?: unknown; code?: unknown }) => {
        if (error.message === 'Query read timeout' || error.code === '25006') this.#cut();
      });
    }
    return answer;
  }) as pg.Client['query'];

  #cut(): void {
    (this as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
  }
}

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

function releasedWhenLost(client: pg.PoolClient): pg.PoolClient {
  const release = client.release.bind(client);
  let held = true;
  const giveBack = (reason?: Error | boolean) => {
    if (!held) return;
    held = false;
    client.removeListener('error', giveBack);
    release(reason);
  };
  client.on('error', giveBack);
  client.release = giveBack;
  return client;
}
