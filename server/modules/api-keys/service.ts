import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import { type ApiKey, type apiKeyCreation, type CreatedApiKey, type KeyScope, maxApiKeys } from '../../../contract/api-key.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { ApiError } from '../../http/api-error.ts';
import type { SignedIn } from '../../http/call.ts';
import { tooManyRequests } from '../../http/limits/request-limits.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from '../../platform/database/drizzle.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { hashOfToken } from '../../platform/secrets/tokens.ts';
import { KeyTexts } from './key-texts.ts';
import { type CallParts, namedBy, projectOfRecord } from './project-of-call.ts';
import { type ApiKeyRow, apiKeys } from './tables.ts';

type ApiKeysDeps = {
  db: Db;
  run: RunStatement;
  secret: SecretKey;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: string, id: string) => Promise<string>;
  newId: () => string;
  now: () => Date;
  onFailed: (error: unknown) => void;
};

/** Calls of one key in a minute. */
const callsOfKey = { points: 6_000, duration: 60 };
/** How exactly the last use of a key is known (ms): a busy key costs one write in this time. */
const useIsKnownMs = 60_000;
const dayMs = 86_400_000;
/** How long a revoked or expired key stays in the list. */
const keptDays = 90;

type KeyCall = {
  key: string;
  /** What the call needs; undefined for a call that no key may make. */
  scope: KeyScope | undefined;
  address: string;
  /** Counts a call of the account. */
  count: (userId: string) => Promise<void>;
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
  email: string;
  name: string;
  language: 'ru' | 'en' | null;
  deletion_due_at: Date | null;
};

const findKey = `SELECT k.id, k.user_id, k.project_id, k.name AS key_name, k.scopes, k.expires_at, k.last_used_at, k.last_used_from,
    u.email, u.name, u.language, u.deletion_due_at
  FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2) AND u.removal_began_at IS NULL`;
const noteUse = 'UPDATE api_keys SET last_used_at = $2, last_used_from = $3 WHERE id = $1';

/**
 * Keys by which programs call the API for an account. A key is looked up at every call, so that a revoked one is refused by the next call on every
 * node.
 */
export class ApiKeys {
  readonly #deps: ApiKeysDeps;
  readonly #texts: KeyTexts;
  readonly #calls = new RateLimiterMemory(callsOfKey);

  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
    this.#texts = new KeyTexts(deps.secret);
  }

  /** Returns the keys of an account, the newest first. */
  async list(userId: string): Promise<ApiKey[]> {
    const rows = await this.#deps.db
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.userId, userId))
      .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
    return rows.map(toApi);
  }

  /** Creates a key. Throws `not_found` for a project of another account, and `conflict` when the account has `maxApiKeys`. */
  async create(userId: string, { name, scopes, projectId, expiresInDays }: z.output<typeof apiKeyCreation>): Promise<CreatedApiKey> {
    const { db, newId, now, resolveProject } = this.#deps;
    const project = projectId === null ? null : await resolveProject(userId, projectId);
    const key = this.#texts.make();
    const at = now();
    const row = await db.transaction(async (tx) => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`api-keys ${userId}`}, 0))`);
      const { rows } = await tx.execute(sql`SELECT count(*)::integer AS count FROM api_keys
        WHERE user_id = ${userId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at.toISOString()})`);
      if ((rows[0] as { count: number }).count >= maxApiKeys) throw new ApiError('too_many_keys', { params: { count: maxApiKeys } });
      const [stored] = await tx
        .insert(apiKeys)
        .values({
          id: newId(),
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
      return stored as ApiKeyRow;
    });
    return { ...toApi(row), key };
  }

  /** Revokes a key. Throws `not_found` for a key of another account. */
  async revoke(userId: string, id: string): Promise<void> {
    const { db, now } = this.#deps;
    const ofUser = and(eq(apiKeys.id, id), eq(apiKeys.userId, userId));
    const revoked = await db
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now().toISOString()})` })
      .where(ofUser)
      .returning({ id: apiKeys.id });
    if (revoked.length === 0) throw new ApiError('not_found');
  }

  /**
   * Returns the account of a key for one call. Throws `unauthorized` for a key that is wrong, revoked or expired, `key_not_allowed` for one without the
   * scope, `account_leaving`, `too_many_requests`, and what `count` throws.
   */
  async authenticate({ key, scope, address, count }: KeyCall): Promise<SignedIn> {
    if (!this.#texts.isGenuine(key)) throw new ApiError('unauthorized');
    const hash = hashOfToken(key);
    await this.#calls.consume(hash).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooManyRequests(refusal) : refusal;
    });
    const at = this.#deps.now();
    const [found] = (await this.#deps.run({ text: findKey, values: [hash, at] })) as FoundKey[];
    if (!found || (found.deletion_due_at !== null && found.deletion_due_at <= at)) throw new ApiError('unauthorized');
    await count(found.user_id);
    if (found.deletion_due_at !== null) throw new ApiError('account_leaving');
    if (scope === undefined || !found.scopes.includes(scope)) {
      throw new ApiError('key_not_allowed', { details: { scope: scope ?? null, scopes: found.scopes } });
    }
    this.#noteUse(found, at, address);
    const { user_id: id, id: keyId, project_id: projectId, key_name: keyName, email, name, language, expires_at } = found;
    const tokenGoodUntil = expires_at?.getTime() ?? Number.MAX_SAFE_INTEGER;
    return {
      id,
      email,
      name,
      language,
      sessionId: keyId,
      tokenGoodUntil,
      isStaff: false,
      key: { id: keyId, name: keyName, projectId, scopes: found.scopes },
    };
  }

  /** Throws `key_not_allowed` when a call reaches beyond the only project of its key. A record that does not exist is left to the call. */
  async checkProject({ id, key }: Pick<SignedIn, 'id' | 'key'>, name: RouteName, parts: CallParts): Promise<void> {
    if (!key || key.projectId === null) return;
    const { run, resolveProject } = this.#deps;
    const named = namedBy(name, parts);
    if (named.length === 0) throw new ApiError('key_not_allowed', { details: { projectId: key.projectId } });
    for (const one of named) {
      const place = one.kind === 'project' ? await resolveProject(id, one.id) : (await run(projectOfRecord(one, id)))[0]?.project_id;
      if ((place ?? key.projectId) !== key.projectId) throw new ApiError('key_not_allowed', { details: { projectId: key.projectId } });
    }
  }

  /** Returns those of these ids that are keys which may still call: a stream of events stays open for its key. */
  async open(ids: readonly string[]): Promise<string[]> {
    const mayCall = and(
      inArray(apiKeys.id, [...ids]),
      isNull(apiKeys.revokedAt),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, this.#deps.now())),
    );
    return (await this.#deps.db.select({ id: apiKeys.id }).from(apiKeys).where(mayCall)).map(({ id }) => id);
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

function toApi({ id, name, prefix, scopes, projectId, createdAt, expiresAt, lastUsedAt, lastUsedFrom, revokedAt }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    prefix,
    scopes,
    projectId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastUsedFrom,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
