import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Route } from '../../../contract/route.ts';
import { webhooksPerMinute } from '../../../contract/trigger.ts';
import { createPointBlocks, type PointBlocks } from '../bodies/point-blocks.ts';
import { addressKey } from './address-key.ts';
import { AdmissionQueue } from './admission-queue.ts';
import { tooManyRequests } from './request-limits.ts';

/** The keys that count a limited call: the caller's address, the account that it names, and the `Cookie` header of a sign-in. */
export type Attempt = { address: string; account: string | null; cookies?: string | undefined };

/** The limited actions: calls by the route table, guesses at the current password, emails that verify an address, emails about questions, and webhooks of a trigger. */
type Kind = NonNullable<Route['limit']> | 'password' | 'verification' | 'letter' | 'webhook';

export type Charge = {
  /** Under which the call waits for hashes and connections: its known device, its account at a known address, or its address. */
  turn: string;
  /** Refunds a right password, and a call of a signed link that exists: neither is a guess. */
  wasRight: () => Promise<void>;
};

/** The places that an account has signed in from. */
export type KnownClients = {
  /** The device that has signed in to the account before, as the cookies prove, or null. */
  deviceOf: (cookies: string | undefined, email: string) => string | null;
  /** Whether the account has signed in from the address. Takes as long for an email without an account. */
  isKnownAddress: (email: string, address: string) => Promise<boolean>;
};

const quarterHour = 15 * 60;

/** Attempts per window in seconds. Failed sign-ins to one account are few; an office behind one address is many. */
export const limitRules = {
  'login.device': { points: 10, duration: quarterHour },
  'login.pair': { points: 10, duration: quarterHour },
  'login.account': { points: 60, duration: quarterHour },
  'login.address': { points: 300, duration: quarterHour },
  'register.address': { points: 100, duration: 60 * 60 },
  'refresh.address': { points: 1_200, duration: quarterHour },
  'password.account': { points: 10, duration: quarterHour },
  'forgotten.address': { points: 100, duration: 60 * 60 },
  'forgotten.device': { points: 3, duration: 30 * 60 },
  'forgotten.pair': { points: 3, duration: 30 * 60 },
  'forgotten.account': { points: 5, duration: 30 * 60 },
  'reset.address': { points: 100, duration: 60 * 60 },
  'verify.address': { points: 100, duration: 60 * 60 },
  'verification.account': { points: 5, duration: 30 * 60 },
  'lead.address': { points: 30, duration: 60 * 60 },
  'lead.device': { points: 5, duration: 60 * 60 },
  'lead.pair': { points: 5, duration: 60 * 60 },
  'lead.account': { points: 20, duration: 60 * 60 },
  'command.account': { points: 30_000, duration: 60 },
  'command.address': { points: 60_000, duration: 60 },
  'ticket.account': { points: 3_000, duration: 60 },
  'question.address': { points: 300, duration: quarterHour },
  'input.account': { points: 600, duration: quarterHour },
  'publish.account': { points: 200, duration: quarterHour },
  'toolServer.account': { points: 300, duration: quarterHour },
  'modelConnection.account': { points: 300, duration: quarterHour },
  'export.account': { points: 10, duration: 60 * 60 },
  'letter.account': { points: 30, duration: 60 * 60 },
  'webhook.account': { points: webhooksPerMinute, duration: 60 },
} as const;
type Rule = keyof typeof limitRules;

/** Of these only wrong calls count. */
const countsGuesses: ReadonlySet<Kind> = new Set(['login', 'password']);

/** The points that a node reserves from a counter with hundreds of requests a second, in one write. */
const blockSizes = { 'command.account': 200, 'command.address': 500, 'ticket.account': 50 } as const satisfies Partial<
  Record<Rule, number>
>;

/** Sign-ins that are counted at the same time, in the turns in which their passwords are hashed then. */
const signInLimits = { atOnce: 6, atOncePerAccount: 2, maxWaiting: 5_000, maxPerAccount: 400 };

/** Counters in the database, so that they hold over restarts and over all nodes. */
export class RateLimits {
  private readonly limiters: Record<Rule, RateLimiterPostgres>;
  private readonly blocks: Partial<Record<Rule, PointBlocks>>;
  private readonly places: KnownClients;
  private readonly signIns = new AdmissionQueue(signInLimits);

  constructor(pool: pg.Pool, places: KnownClients) {
    this.places = places;
    const make = (name: Rule) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        clearExpiredByTimeout: name === 'login.address',
        ...limitRules[name],
      });
    this.limiters = Object.fromEntries((Object.keys(limitRules) as Rule[]).map((name) => [name, make(name)])) as Record<
      Rule,
      RateLimiterPostgres
    >;
    const inBlocks = Object.entries(blockSizes) as [keyof typeof blockSizes, number][];
    this.blocks = Object.fromEntries(inBlocks.map(([name, size]) => [name, createPointBlocks(this.limiters[name], size)]));
  }

  /**
   * Counts an attempt. Throws `too_many_requests` when one of its counters is spent. The attempt is then not made, and the counters that
   * were charged before get their points back. A sign-in whose signal aborts while it waits for its turn is not counted.
   */
  async count(kind: Kind, attempt: Attempt, signal?: AbortSignal): Promise<Charge> {
    const keys = await this.keysOf(kind, attempt);
    const turn = keys.length === 1 ? keys.join() : addressKey(attempt.address);
    const consume = () => this.consume(keys);
    const refund = await (kind === 'login' ? this.signIns.run(turn, consume, signal) : consume());
    return { turn, wasRight: async () => (countsGuesses.has(kind) ? refund() : undefined) };
  }

  /** Charges the counters. Returns how they get their points back. */
  private async consume(keys: readonly [Rule, string][]): Promise<() => Promise<void>> {
    const taken: [Rule, string][] = [];
    const refund = async () => {
      for (const [rule, key] of taken) if (!this.blocks[rule]) await this.limiters[rule].reward(key);
    };
    for (const [rule, key] of keys) {
      try {
        await (this.blocks[rule] ?? this.limiters[rule]).consume(key);
        taken.push([rule, key]);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        await refund();
        throw tooManyRequests(refusal);
      }
    }
    return refund;
  }

  /** The counters of an attempt, from the narrowest to the widest. */
  private async keysOf(kind: Kind, { address, account, cookies }: Attempt): Promise<[Rule, string][]> {
    const from = addressKey(address);
    const who = account === null ? null : hashOf(account);
    switch (kind) {
      case 'login':
        return account === null || who === null
          ? [['login.address', from]]
          : this.keysByPlace(kind, { email: account, who, from, address, cookies });
      case 'register':
        return [['register.address', from]];
      case 'refresh':
        return [['refresh.address', from]];
      case 'password':
      case 'verification':
      case 'letter':
      case 'webhook':
      case 'ticket':
      case 'input':
      case 'publish':
      case 'toolServer':
      case 'modelConnection':
      case 'export':
        return [[`${kind}.account`, who ?? from]];
      case 'reset':
      case 'question':
      case 'verify':
        return [[`${kind}.address`, from]];
      case 'forgotten':
      case 'lead':
        return account === null || who === null
          ? [[`${kind}.address`, from]]
          : this.keysByPlace(kind, { email: account, who, from, address, cookies });
      case 'command':
        return who === null
          ? [[`${kind}.address`, from]]
          : [
              [`${kind}.address`, from],
              [`${kind}.account`, who],
            ];
    }
  }

  /**
   * A known device has its own counter, and so has a known address: guesses from elsewhere lock neither out. From an unknown address
   * the pair of address and account is counted first, so that one address cannot spend the counter of the account.
   */
  private async keysByPlace(
    kind: 'login' | 'forgotten' | 'lead',
    caller: {
      email: string;
      who: string;
      from: string;
      address: string;
      cookies: string | undefined;
    },
  ): Promise<[Rule, string][]> {
    const { email, who, from } = caller;
    const device = this.places.deviceOf(caller.cookies, email);
    if (device !== null) return [[`${kind}.device`, `${who}:${hashOf(device)}`]];
    const pair: [Rule, string] = [`${kind}.pair`, `${who}:${from}`];
    if (await this.places.isKnownAddress(email, caller.address)) return [pair];
    return [pair, [`${kind}.address`, from], [`${kind}.account`, who]];
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
