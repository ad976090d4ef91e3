import PQueue from 'p-queue';
import pg from 'pg';
import { nameOf, type RunStatement } from './prepared-statements.ts';
import type { Statement } from './statement.ts';

type Rows = Record<string, unknown>[];
type Waiting = { statement: Statement; resolve: (rows: Rows) => void; reject: (error: unknown) => void };

type Batching = {
  /** Its connections wait for a lock only briefly: see `openPools`. */
  pool: pg.Pool;
  /** Concurrent batches. */
  maxAtOnce: number;
  /** Runs one statement by itself, with the usual time limits. */
  alone: RunStatement;
};

/** The maximum of statements in one batch. */
const maxBatch = 32;
/** A statement with longer values is no part of a batch, which would wait for it (UTF-16 units). */
const maxBatchedLength = 128 * 1024;

/**
 * Runs single statements that belong to no larger transaction. Statements that wait at the same time are sent together and stored by one
 * commit: one round trip, one write of the log. Each resolves after the commit. Where one fails or waits for a lock, nothing of its batch
 * is stored, and each runs by itself. A lost connection fails all of them as an outage: they may have been stored. Large statements run by
 * themselves, one after another.
 */
export function createBatchedStatements({ pool, maxAtOnce, alone }: Batching): RunStatement {
  const waiting: Waiting[] = [];
  let running = 0;
  let isDue = false;

  const begin = (): void => {
    isDue = false;
    while (running < maxAtOnce && waiting.length > 0) {
      running += 1;
      void carryOut(waiting.splice(0, maxBatch)).then(() => {
        running -= 1;
        begin();
      });
    }
  };

  const carryOut = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await inOneTransaction(
        pool,
        batch.map(({ statement }) => statement),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      for (const { statement, resolve, reject } of batch) {
        if (isRolledBack(error)) alone(statement).then(resolve, reject);
        else reject(error);
      }
    }
  };

  const large = new PQueue({ concurrency: 1 });

  return (statement) => {
    if (isLarge(statement)) return large.add(() => alone(statement));
    return new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (isDue) return;
      isDue = true;
      // After all messages that have arrived: their statements join the batch.
      setImmediate(begin);
    });
  };
}

function isLarge({ values }: Statement): boolean {
  let length = 0;
  for (const value of values) if (typeof value === 'string') length += value.length;
  return length > maxBatchedLength;
}

/** Whether certainly nothing of the batch is stored: PostgreSQL has refused a statement, or has received none. */
function isRolledBack(error: unknown): boolean {
  return error instanceof BatchNotSent || (error instanceof pg.DatabaseError && error.severity === 'ERROR');
}

async function inOneTransaction(pool: pg.Pool, statements: readonly Statement[]): Promise<Rows[]> {
  const client = await pool.connect();
  try {
    const answers = await new Promise<Rows[]>((resolve, reject) => {
      client.query(new Batch(statements, (error, rows) => (error ? reject(error) : resolve(rows ?? []))));
    });
    client.release();
    return answers;
  } catch (error) {
    // It is not known which of its statements the connection has prepared.
    client.release(error as Error);
    throw error;
  }
}

class BatchNotSent extends Error {}

/** The parts of pg's connection and query that a batch uses. */
type Connection = {
  stream: { cork: () => void; uncork: () => void; destroy: () => void };
  parsedStatements: Record<string, string>;
  sync: () => void;
};
type PgQuery = pg.Submittable & {
  name: string;
  text: string;
  handleRowDescription: (message: unknown) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Connection) => void;
  handleReadyForQuery: (connection: Connection) => void;
};
const PgQuery = pg.Query as unknown as new (
  config: object,
  values: undefined,
  callback: (error: unknown, result: pg.QueryResult) => void,
) => PgQuery;

/**
 * Sends prepared statements as one query of a connection: PostgreSQL runs everything up to one `Sync` as one transaction. The results
 * come in order.
 */
class Batch implements pg.Submittable {
  callback: (error: unknown, rows?: Rows[]) => void;
  readonly #queries: PgQuery[];
  readonly #rows: Rows[] = [];
  /** Of a single statement: a value that cannot be sent, or rows that cannot be read. */
  #failure: unknown = null;
  #isUnsent = false;
  #answered = 0;

  constructor(statements: readonly Statement[], callback: Batch['callback']) {
    this.callback = callback;
    this.#queries = statements.map(
      ({ text, values }, index) =>
        new PgQuery({ name: nameOf(text), text, values }, undefined, (error, result) => {
          if (error) this.#failure = error;
          else this.#rows[index] = result.rows as Rows;
        }),
    );
  }

  submit(connection: pg.Connection): Error | null {
    const { stream } = connection as unknown as Connection;
    const unsynced = Object.create(connection, { sync: { value: () => {} } }) as pg.Connection;
    stream.cork();
    for (const query of this.#queries) query.submit(unsynced);
    this.#isUnsent = this.#failure !== null;
    if (this.#isUnsent) stream.destroy();
    else (connection as unknown as Connection).sync();
    stream.uncork();
    return this.#isUnsent ? new BatchNotSent() : null;
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#answered]?.handleRowDescription(message);
  }
  handleDataRow(message: unknown): void {
    this.#queries[this.#answered]?.handleDataRow(message);
  }
  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#queries[this.#answered]?.handleCommandComplete(message, connection);
    this.#answered += 1;
  }
  handleReadyForQuery(connection: Connection): void {
    for (const query of this.#queries) {
      // pg records this for its own queries: PostgreSQL knows the statement from now on.
      connection.parsedStatements[query.name] = query.text;
      query.handleReadyForQuery(connection);
    }
    this.callback(this.#failure, this.#rows);
  }
  handleError(error: unknown): void {
    this.callback(this.#isUnsent ? new BatchNotSent() : error);
  }
}
