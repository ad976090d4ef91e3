import type pg from 'pg';
import { BoundedPool, type PoolLimits } from './bounded-pool.ts';

/**
 * The pool of API calls. Statements that only read go to `reads`, which has its own connections, so that none waits for
 * writes that wait for the disk or for locks. Transactions and everything else use the connections of this pool.
 */
export class ServingPool extends BoundedPool {
  readonly #reads: pg.Pool;

  constructor(connection: pg.PoolConfig, limits: PoolLimits, reads: pg.Pool) {
    super(connection, limits);
    this.#reads = reads;
  }

  override query = ((...given: Parameters<pg.Pool['query']>) => {
    const [statement] = given as unknown as [string | { text?: string }];
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    return isReadOnly(text) ? this.#reads.query(...given) : this.queryInTurn(given);
  }) as pg.Pool['query'];
}

/**
 * Whether a statement certainly writes nothing and waits for no lock. A reading statement that is not recognised
 * only waits among the writes.
 */
export function isReadOnly(text: string): boolean {
  return reading.test(text) && !writing.test(text) && !locking.test(text);
}

const reading = /^\s*(?:select|with|values|show)\b/i;
/** Also locks (`FOR UPDATE`, `FOR SHARE`) and functions with side effects. */
const writing = /\b(?:insert|update|delete|merge|share|into|nextval|setval|set_config|pg_notify|pg_sleep)\b/i;
const locking = /\bpg_\w*advisory/i;
