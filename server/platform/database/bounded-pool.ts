import pg from 'pg';
import { createAccountTurns, currentTurn, type Leave, PoolExhausted } from './account-turns.ts';
import { outliveLosses } from './create-connection.ts';

export type PoolLimits = {
  /** The maximum of connections. */
  max: number;
  /** The maximum of connections of one account, and of its callers that wait; without it one account may have all. */
  ofAccount?: { max: number; maxWaiting: number };
  /** The maximum of callers that wait for a connection; one more is refused. */
  maxWaiting: number;
  /** How long a caller waits for a connection (ms). */
  waitMs: number;
  /** The time limit of one statement in PostgreSQL (ms), including waits for locks. */
  statementMs: number;
  /** The maximum wait of a statement for a lock (ms); without it only the time limit of the statement applies. */
  lockMs?: number;
};

/** The time after PostgreSQL's own limit after which a statement without an answer fails (ms). */
const answerMs = 3_000;
/** The longest time that a transaction waits for its next statement (ms): a process that is suspended within one releases its locks. */
const idleInTransactionMs = 10_000;

/**
 * A pool in which every wait has a limit: for a connection, for a statement, for an answer of a database that hangs. What exceeds it fails
 * as an outage. A connection that is lost or hangs while a caller holds it returns at once and is closed. This holds also when the caller
 * forgets it, as the query builder forgets one whose BEGIN failed. Without this the error would end the process, and each forgotten
 * connection would be missing from the pool.
 */
export class BoundedPool extends pg.Pool {
  readonly #maxWaiting: number;
  readonly #turns: ReturnType<typeof createAccountTurns> | null;

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
      Client: BoundedClient as unknown as new () => pg.ClientBase,
      // By a statement, since poolers such as PgBouncer refuse connections that set it when they are opened.
      onConnect: async (client) => {
        const locks = limits.lockMs === undefined ? '' : `; SET lock_timeout = ${limits.lockMs}`;
        const idle = `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`;
        await client.query(`SET statement_timeout = ${limits.statementMs}; ${idle}${locks}`);
      },
    });
    outliveLosses(this);
    this.#maxWaiting = limits.maxWaiting;
    const { max, maxWaiting, waitMs, ofAccount } = limits;
    this.#turns = ofAccount
      ? createAccountTurns({ max, maxPerAccount: ofAccount.max, maxWaiting, maxWaitingPerAccount: ofAccount.maxWaiting, waitMs })
      : null;
  }

  override query = ((...given: Parameters<pg.Pool['query']>) => this.queryInTurn(given)) as pg.Pool['query'];

  /** Sends a statement, and counts its rows for the turn of its caller. */
  protected queryInTurn(given: Parameters<pg.Pool['query']>): unknown {
    const turn = currentTurn();
    const answer: unknown = super.query(...given);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((result: pg.QueryResult) => {
      turn.rows += result.rows?.length ?? 0;
      return result;
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return new Promise<pg.PoolClient>((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)));
      }).then(releasedWhenLost);
    if (this.#turns)
      this.#turns.enter((failure, leave) => (failure ? callback(failure, undefined, leave) : this.#connect(callback, leave)));
    else if (this.waitingCount >= this.#maxWaiting) callback(new PoolExhausted(), undefined, () => {});
    else super.connect(callback);
    return undefined;
  }

  /** Connects a caller whose turn it is. The turn ends with the release of the connection. */
  #connect(callback: Callback, leave: Leave): void {
    super.connect((error, client) => {
      if (!client) {
        leave();
        callback(error, client, () => {});
        return;
      }
      const release = client.release.bind(client);
      client.release = (reason) => {
        release(reason);
        leave();
      };
      callback(error, client, client.release as Parameters<Callback>[2]);
    });
  }
}

/**
 * Closes its connection when an answer does not come, since later queries would wait behind it. It also closes it when the database is
 * read-only: after a failover the next connection may lead to the writable one.
 */
class BoundedClient extends pg.Client {
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
  const releaseOnce = (reason?: Error | boolean) => {
    if (!held) return;
    held = false;
    client.removeListener('error', releaseOnce);
    release(reason);
  };
  client.on('error', releaseOnce);
  client.release = releaseOnce;
  return client;
}
