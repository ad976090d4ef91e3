import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Route } from '../../contract/route.ts';
import { Fault } from './fault.ts';
import { createPointBlocks, type PointBlocks } from './point-blocks.ts';

/** What a limited call is counted by: its caller's address, and the account that it names. */
export type Attempt = { address: string; account: string | null };

const quarterHour = 15 * 60;

/** Attempts per window in seconds. Failed sign-ins to one account are few; an office behind one address is many. */
const rules = {
  'login.pair': { points: 10, duration: quarterHour },
  'login.account': { points: 60, duration: quarterHour },
  'login.address': { points: 300, duration: quarterHour },
  'register.address': { points: 100, duration: 60 * 60 },
  'refresh.address': { points: 1_200, duration: quarterHour },
  'password.account': { points: 10, duration: quarterHour },
  'forgotten.address': { points: 100, duration: 60 * 60 },
  'forgotten.account': { points: 5, duration: 60 * 60 },
  'reset.address': { points: 100, duration: 60 * 60 },
  'lead.address': { points: 30, duration: 60 * 60 },
  'lead.account': { points: 5, duration: 60 * 60 },
  'command.account': { points: 30_000, duration: 60 },
  'command.address': { points: 60_000, duration: 60 },
} as const;
type Rule = keyof typeof rules;

/** Points that a node takes at once from a counter that is asked hundreds of times a second. */
const blockSizes = { 'command.account': 200, 'command.address': 500 } as const satisfies Partial<Record<Rule, number>>;

/** Counters in the database, so that they hold over restarts and over all nodes. */
export class RateLimits {
  private readonly limiters: Record<Rule, RateLimiterPostgres>;
  private readonly blocks: Partial<Record<Rule, PointBlocks>>;

  constructor(pool: pg.Pool) {
    const make = (name: Rule) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        clearExpiredByTimeout: name === 'login.address',
        ...rules[name],
      });
    this.limiters = Object.fromEntries((Object.keys(rules) as Rule[]).map((name) => [name, make(name)])) as Record<
      Rule,
      RateLimiterPostgres
    >;
    const inBlocks = Object.entries(blockSizes) as [keyof typeof blockSizes, number][];
    this.blocks = Object.fromEntries(inBlocks.map(([name, size]) => [name, createPointBlocks(this.limiters[name], size)]));
  }

  /** Counts an attempt. Throws `too_many_requests` when one of its counters is spent. */
  async count(kind: NonNullable<Route['limit']>, attempt: Attempt): Promise<void> {
    for (const [rule, key] of keysOf(kind, attempt)) {
      try {
        await (this.blocks[rule] ?? this.limiters[rule]).consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) {
          const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
          throw new Fault('too_many_requests', { retryAfterSeconds: seconds });
        }
        throw refusal;
      }
    }
  }

  /** A right password is no attempt at guessing one. */
  async forget(kind: NonNullable<Route['limit']>, attempt: Attempt): Promise<void> {
    for (const [rule, key] of keysOf(kind, attempt)) if (rule.startsWith('login.')) await this.limiters[rule].reward(key);
  }
}

function keysOf(kind: NonNullable<Route['limit']>, { address, account }: Attempt): [Rule, string][] {
  const who = account === null ? null : createHash('sha256').update(account).digest('base64url');
  switch (kind) {
    case 'login':
      return [
        ['login.address', address],
        ...(who === null
          ? []
          : ([
              ['login.account', who],
              ['login.pair', `${who}:${address}`],
            ] as [Rule, string][])),
      ];
    case 'register':
      return [['register.address', address]];
    case 'refresh':
      return [['refresh.address', address]];
    case 'password':
      return [['password.account', who ?? address]];
    case 'reset':
      return [['reset.address', address]];
    case 'forgotten':
    case 'command':
    case 'lead':
      return who === null
        ? [[`${kind}.address`, address]]
        : [
            [`${kind}.address`, address],
            [`${kind}.account`, who],
          ];
  }
}
