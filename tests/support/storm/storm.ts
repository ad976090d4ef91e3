import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { limitOf } from '../amounts.ts';
import type { RunAccount } from '../run-account.ts';

/** What the sources of a storm share. The server has one address, however often it is killed and started again. */
export type Storm = {
  ann: RunAccount;
  pool: Pick<pg.Pool, 'query'>;
  /** The runs whose models were asked about a piece of work, by its name. A model sees what the server does, whatever the server stores. */
  runsOf: (name: string) => Set<string>;
};

/** Work that comes in from outside, and a record of it that no kill reaches. */
export type Source = {
  /** Begins one more piece of work. It is carried on by itself, whatever becomes of the server. */
  begin: () => void;
  /** Called while the server is down. */
  whileDown?: () => Promise<void>;
  /** Called when the server has started again. */
  afterStart?: () => Promise<void>;
  /** Says what is lost, doubled, or not over yet; nothing where all is right. */
  problems: () => Promise<string[]>;
  /** What came in, in words. */
  summary: () => string;
};

/** The longest wait of a sender: on a busy machine a server is down for most of a storm (ms). */
const patienceMs = limitOf(300_000);
const pauseMs = 300;

/** Makes a call until it has an answer: what throws, and null, are none. A server that is down answers nothing. */
export async function untilAnswered<T>(what: string, call: () => Promise<T | null>): Promise<T> {
  let failure: unknown = null;
  for (const end = performance.now() + patienceMs; performance.now() < end; await wait(pauseMs)) {
    const answer = await call().catch((error: unknown) => {
      failure = error;
      return null;
    });
    if (answer !== null) return answer;
  }
  throw new Error(`${what} had no answer in ${patienceMs / 1_000} s: ${failure}`);
}

/** Reads rows with the same names as the columns. */
export const rowsOf = async <T>({ pool }: Pick<Storm, 'pool'>, text: string, values: unknown[] = []): Promise<T[]> =>
  (await pool.query(text, values)).rows as T[];

/** Work that goes on by itself. What fails is kept, with its name. */
export function createErrands() {
  const failures: string[] = [];
  let open = 0;
  return {
    go: (name: string, errand: () => Promise<unknown>) => {
      open += 1;
      errand()
        .catch((error: unknown) => failures.push(`${name}: ${error instanceof Error ? error.message : error}`))
        .finally(() => {
          open -= 1;
        });
    },
    problems: () => [...failures, ...(open > 0 ? [`${open} senders wait for an answer`] : [])],
  };
}
