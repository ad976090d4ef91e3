import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import {
  type ApiKey,
  apiKey,
  type apiKeyCreation,
  type CreatedApiKey,
  type KeyRun,
  type KeyScope,
  maxApiKeys,
} from '../../../contract/api-key.ts';
import type { keyBudget } from '../../../contract/budget.ts';
import type { Need } from '../../../contract/needs.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, SignedIn } from '../../http/call.ts';
import { tooManyRequests } from '../../http/limits/request-limits.ts';
import { requireNeed } from '../../http/require-need.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from '../../platform/database/drizzle.ts';
import { ownedRows } from '../../platform/database/owned-rows.ts';
import { type RunStatement, runIn } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { KeyOutcome } from '../../platform/metrics/metrics.ts';
import { asOwner, type OwnerId } from '../../platform/owner-id.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { hashOfToken } from '../../platform/secrets/tokens.ts';
import { type KeyBudgets, storingBudget, toKeyBudget } from '../budgets/index.ts';
import { KeyTexts } from './key-texts.ts';
import { type CallParts, continuing, namedBy, projectOfRecord, starterOfRecord } from './reach-of-call.ts';
import { RefusalTurns } from './refusal-turns.ts';
import { type ApiKeyRow, apiKeys } from './tables.ts';

type ApiKeysDeps = {
  db: Db;
  run: RunStatement;
  secret: SecretKey;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  budgets: KeyBudgets;
  newId: () => string;
  now: () => Date;
  onFailed: (error: unknown) => void;
  onCalled: (outcome: KeyOutcome) => void;
  /** Ends what is open for a key, on every node. */
  onRevoked: (keyId: string, userId: string) => void;
};

/** Calls of one key in a minute. */
const callsOfKey = { points: 6_000, duration: 60 };
/** How exactly the last use of a key is known (ms): a busy key costs one write in this time. */
const useIsKnownMs = 60_000;
const dayMs = 86_400_000;
/** Runs that are shown of a key, and the most characters of a task. */
const shownRuns = 20;
const shownTitle = 200;
/** How long a revoked or expired key stays in the list. */
const keptDays = 90;

type KeyCall = {
  key: string;
  /** What the call needs; undefined for a call of the staff. */
  need: Need | undefined;
  address: string;
  /** Counts a call of the account. */
  count: (userId: string) => Promise<void>;
};

const outcomes: Partial<Record<string, KeyOutcome>> = {
  unauthorized: 'wrong',
  key_not_allowed: 'not_allowed',
  account_leaving: 'not_allowed',
  too_many_requests: 'too_many',
};

type FoundKey = {
  id: string;
  user_id: string;
  project_id: string | null;
  key_name: string;
  scopes: KeyScope[];
  expires_at: Date | null;
  last_used_at: Date | null;
  last_used_from: string | null;
  has_budget: boolean;
  email: string;
  name: string;
  language: 'ru' | 'en' | null;
  deletion_due_at: Date | null;
};

const findKey = `SELECT k.id, k.user_id, k.project_id, k.name AS key_name, k.scopes, k.expires_at, k.last_used_at, k.last_used_from,
    EXISTS (SELECT FROM budgets b WHERE b.key_id = k.id) AS has_budget, u.email, u.name, u.language, u.deletion_due_at
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2) AND u.removal_began_at IS NULL`;
const lastRuns = `SELECT run.id AS "runId", run.project_id AS "projectId", coalesce(team.title, left(run.initial_task, ${shownTitle})) AS title,
    run.status, run.called_from AS "from", run.created_at AS at
  FROM executions AS run LEFT JOIN team_runs AS called ON called.execution_id = run.id LEFT JOIN released_teams AS team ON team.id = called.team_id
  WHERE run.key_id = $1 ORDER BY run.created_at DESC, run.id DESC LIMIT ${shownRuns}`;
const noteUse = 'UPDATE api_keys SET last_used_at = $2, last_used_from = $3 WHERE id = $1';

/**
 * Keys by which programs call the API for an account. A key is looked up at every call, so that a revoked one is refused by the next call on every
 * node.
 */
export class ApiKeys {
  readonly #deps: ApiKeysDeps;
  readonly #texts: KeyTexts;
  readonly #refusals = new RefusalTurns();
  readonly #calls = new RateLimiterMemory(callsOfKey);

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
    this.#texts = new KeyTexts(deps.secret);
  }

  /** Returns the keys of an account, the newest first. */
  async list(userId: OwnerId): Promise<ApiKey[]> {
    const rows = await ownKeys.list(this.#deps.db, userId);
    const budgets = await this.#deps.budgets.ofAccount(userId);
    return rows.map((row) => toApi(row, { budget: budgets.get(row.id) ?? null }));
  }

  /**
   * Creates a key with its budget. Throws `not_found` for a project of another account, `bad_request` for a budget in a currency that no price has, and
   * `too_many_keys` when the account has `maxApiKeys`.
   */
  async create(userId: OwnerId, creation: z.output<typeof apiKeyCreation>, language: Language): Promise<CreatedApiKey> {
    const { name, scopes, projectId, expiresInDays } = creation;
    const { db, budgets, newId, now, resolveProject } = this.#deps;
    const project = projectId === null ? null : await resolveProject(userId, projectId);
    const key = this.#texts.make();
    const at = now();
    const id = newId();
    const budget = creation.budget && budgets.ofNewKey(id, creation.budget, language);
    const row = await db.transaction(async (tx) => {
      if ((await ownKeys.countAlone(tx, userId, mayCall(at))) >= maxApiKeys)
        throw new ApiError('too_many_keys', { params: { count: maxApiKeys } });
      const [stored] = await tx
        .insert(apiKeys)
        .values({
          id,
          userId,
          projectId: project,
          name,
          prefix: this.#texts.prefixOf(key),
          hash: hashOfToken(key),
          scopes,
          createdAt: at,
          expiresAt: expiresInDays === null ? null : new Date(at.getTime() + expiresInDays * dayMs),
        })
        .returning();
      if (budget) await runIn(tx)(writeStatement((place) => storingBudget(budget)('(SELECT true) AS created', place)));
      return stored as ApiKeyRow;
    });
    return { ...toApi(row, { budget: budget && toKeyBudget(budget, null) }), key };
  }

  /**
   * Stores a key for a trigger, with its budget, in the caller's transaction. Its text is thrown away: no one can send it. Throws `bad_request` for a
   * budget in a currency that no price has.
   */
  async createForTrigger(
    tx: Db,
    { id, userId, projectId, name }: { id: string; userId: OwnerId; projectId: string; name: string },
    limits: z.output<typeof keyBudget>,
    language: Language,
  ): Promise<void> {
    const { budgets, now } = this.#deps;
    const budget = budgets.ofNewKey(id, limits, language);
    const hash = hashOfToken(this.#texts.make());
    await tx.insert(apiKeys).values({ id, userId, projectId, name, prefix: '', hash, scopes: ['run'], createdAt: now(), ofTrigger: true });
    await runIn(tx)(writeStatement((place) => storingBudget(budget)('(SELECT true) AS created', place)));
  }

  /** Gives the key of a trigger its name in the caller's transaction: costs and runs show it. */
  async renameOfTrigger(tx: Db, id: string, name: string): Promise<void> {
    await tx.update(apiKeys).set({ name }).where(eq(apiKeys.id, id));
  }

  /** Revokes the key of a trigger in the caller's transaction: its runs go on within its budget. */
  async revokeOfTrigger(tx: Db, id: string): Promise<void> {
    await tx.update(apiKeys).set({ revokedAt: this.#deps.now() }).where(eq(apiKeys.id, id));
  }

  /** Returns the last runs that a key has started, the newest first. Throws `not_found` for a key of another account. */
  async runs(userId: OwnerId, id: string): Promise<KeyRun[]> {
    orNotFound(await ownKeys.find(this.#deps.db, userId, id));
    const rows = await this.#deps.run({ text: lastRuns, values: [id] });
    return rows.map(({ at, ...run }) => ({ ...run, at: (at as Date).toISOString() }) as KeyRun);
  }

  /** Revokes a key, and ends its streams and waits. Throws `not_found` for a key of another account. */
  async revoke(userId: OwnerId, id: string): Promise<void> {
    const { db, now, onRevoked } = this.#deps;
    const revokedAt = sql`coalesce(${apiKeys.revokedAt}, ${now().toISOString()})`;
    orNotFound(await ownKeys.update(db, userId, id, { revokedAt }));
    onRevoked(id, userId);
  }

  /**
   * Returns the account of a key for one call. Throws `unauthorized` for a key that is wrong, revoked or expired, `key_not_allowed` for one without the
   * scope, `account_leaving`, `too_many_requests`, and what `count` throws.
   */
  async authenticate(call: KeyCall): Promise<SignedIn> {
    try {
      const signedIn = await this.#authenticate(call);
      this.#deps.onCalled('accepted');
      return signedIn;
    } catch (error) {
      this.#deps.onCalled(outcomes[error instanceof ApiError ? error.code : ''] ?? 'failed');
      throw error;
    }
  }

  async #authenticate({ key, need, address, count }: KeyCall): Promise<SignedIn> {
    if (!this.#texts.isGenuine(key)) {
      await this.#refusals.take();
      throw new ApiError('unauthorized', { details: { reason: 'unknown' } });
    }
    const hash = hashOfToken(key);
    await this.#calls.consume(hash).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooManyRequests(refusal) : refusal;
    });
    const at = this.#deps.now();
    const [found] = (await this.#deps.run({ text: findKey, values: [hash, at] })) as FoundKey[];
    if (!found || (found.deletion_due_at !== null && found.deletion_due_at <= at))
      throw new ApiError('unauthorized', { details: { reason: 'unknown' } });
    await count(found.user_id);
    if (found.deletion_due_at !== null) throw new ApiError('account_leaving');
    requireNeed(found.scopes, need);
    this.#noteUse(found, at, address);
    const {
      user_id: id,
      id: keyId,
      project_id: projectId,
      key_name: keyName,
      has_budget: hasBudget,
      email,
      name,
      language,
      expires_at,
    } = found;
    const tokenGoodUntil = expires_at?.getTime() ?? Number.MAX_SAFE_INTEGER;
    return {
      id,
      email,
      name,
      language,
      sessionId: keyId,
      tokenGoodUntil,
      isStaff: false,
      key: { id: keyId, name: keyName, projectId, scopes: found.scopes, hasBudget, address },
    };
  }

  /**
   * Throws `key_not_allowed` when a call reaches beyond the only project of its key, or goes on with a run whose calls the key's budget does not
   * limit. A record that does not exist is left to the call.
   */
  async checkReach({ id, key }: Pick<SignedIn, 'id' | 'key'>, name: RouteName, parts: CallParts): Promise<void> {
    if (!key) return;
    const { run, resolveProject } = this.#deps;
    const named = namedBy(name, parts);
    if (key.projectId !== null) {
      const refuse = () => this.#refuse('other_project', { projectId: key.projectId });
      if (named.length === 0) refuse();
      for (const one of named) {
        const place =
          one.kind === 'project' ? await resolveProject(asOwner(id), one.id) : (await run(projectOfRecord(one, id)))[0]?.project_id;
        if ((place ?? key.projectId) !== key.projectId) refuse();
      }
    }
    if (!key.hasBudget || !continuing.has(name)) return;
    for (const one of named) {
      const starter = one.kind === 'record' ? starterOfRecord(one) : null;
      const [found] = starter ? await run(starter) : [];
      if (found && found.key_id !== key.id) this.#refuse('not_allowed', { startedByKey: false });
    }
  }

  #refuse(outcome: KeyOutcome, details: Record<string, unknown>): never {
    this.#deps.onCalled(outcome);
    throw new ApiError('key_not_allowed', { details });
  }

  /** Returns those of these ids that are keys which may still call: a stream of events stays open for its key. */
  async open(ids: readonly string[]): Promise<string[]> {
    const open = and(inArray(apiKeys.id, [...ids]), mayCall(this.#deps.now()));
    return (await this.#deps.db.select({ id: apiKeys.id }).from(apiKeys).where(open)).map(({ id }) => id);
  }

  /** Removes keys that were revoked or have expired long ago. */
  async removeOld(): Promise<void> {
    const before = new Date(this.#deps.now().getTime() - keptDays * dayMs);
    await this.#deps.db.delete(apiKeys).where(lt(apiKeys.revokedAt, before));
    await this.#deps.db.delete(apiKeys).where(and(isNull(apiKeys.revokedAt), lt(apiKeys.expiresAt, before)));
  }

  /** The call does not wait for it: the last use is for people. */
  #noteUse({ id, last_used_at: last, last_used_from: from }: FoundKey, at: Date, address: string): void {
    const isKnown = last !== null && elapsedBetween(last, at) < useIsKnownMs && from === address;
    if (!isKnown) this.#deps.run({ text: noteUse, values: [id, at, address] }).catch(this.#deps.onFailed);
  }
}

const toApi = viewOf(apiKey);
const ownKeys = ownedRows(apiKeys, {
  owner: apiKeys.userId,
  where: eq(apiKeys.ofTrigger, false),
  order: [desc(apiKeys.createdAt), desc(apiKeys.id)],
  turn: 'api-keys',
});
const mayCall = (at: Date) => and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)));
