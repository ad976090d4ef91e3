import { v7 } from 'uuid';
import type { z } from 'zod';
import {
  type CreatedHook,
  type HookDelivery,
  type HookOut,
  type HookRefusal,
  type hookCreation,
  hookDelivery,
  hookOut,
  type hookUpdate,
  maxFormerSecrets,
  maxHooks,
  secretOverlapHours,
} from '../../../contract/hook.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, isNotNull, isNull, ne, sql } from '../../platform/database/drizzle.ts';
import { ownedRows, readPage } from '../../platform/database/owned-rows.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { holdsSecret, shownReceiver } from '../../platform/egress/address-secrets.ts';
import { isWebAddress, type PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import { aboutHookSecret, newHookSecret } from './hook-secret.ts';
import { stoppingDeliveries } from './note-of-hook.ts';
import { type FormerSecret, type HookRow, hookDeliveries, hooksOut } from './tables.ts';

type HooksDeps = {
  db: Db;
  secrets: SecretBox;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  isHostAllowed: (address: string) => Promise<boolean>;
  /** Whether receivers may be reached without encryption, on hosts of the operator's network. */
  allowPrivateHosts: PrivateHosts;
  queue: Pick<WorkQueue, 'markInUse'>;
  /** Sends jobs for the tries that are due. */
  relay: () => Promise<void>;
  now: () => Date;
};

/** Names a hook of an account. */
type HookKey = { userId: OwnerId; project: string; hookId: string };

/** How long a delivery that has ended stays in the list (days). */
const keptDays = 30;
const removedAtOnce = 1_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const ownHooks = ownedRows(hooksOut, {
  owner: hooksOut.projectId,
  order: [asc(hooksOut.createdAt), asc(hooksOut.id)],
  turn: 'hooks',
});
const showHook = viewOf(hookOut);
const showDelivery = viewOf(hookDelivery);

export class HookRefused extends ApiError {
  constructor(reason: HookRefusal, params: Record<string, string | number> = {}) {
    super('hook_refused', { details: { reason }, params });
  }
}

/** The receivers of projects, and what was delivered to them. */
export class Hooks {
  readonly #deps: HooksDeps;

  constructor(deps: HooksDeps) {
    this.#deps = deps;
  }

  async list(userId: OwnerId, project: string): Promise<HookOut[]> {
    const projectId = await this.#deps.resolveProject(userId, project);
    return (await ownHooks.list(this.#deps.db, projectId)).map((row) => this.#show(row));
  }

  /** Throws `hook_refused` for an address that is not called, and for one too many. */
  async create(userId: OwnerId, project: string, given: z.output<typeof hookCreation>): Promise<CreatedHook> {
    const { db, secrets, queue, resolveProject, now } = this.#deps;
    const projectId = await resolveProject(userId, project);
    const url = await this.#checkedAddress(given.url);
    const [id, secret] = [v7(), newHookSecret()];
    const stored = db.transaction(async (tx) => {
      if ((await ownHooks.countAlone(tx, projectId)) >= maxHooks) throw new HookRefused('limit', { limit: maxHooks });
      const secretSealed = secrets.seal(secret, aboutHookSecret(id));
      const [made] = await tx
        .insert(hooksOut)
        .values({ ...given, id, projectId, url, secretSealed, createdAt: now() })
        .returning();
      return made as HookRow;
    });
    const row = await stored.finally(() => queue.markInUse('delivery'));
    return { ...this.#show(row), secret };
  }

  async update(key: HookKey, { isOn, url, ...given }: z.output<typeof hookUpdate>): Promise<HookOut> {
    const hook = await this.#find(key);
    // The address as it is shown, which hides a key in the path, is the same one.
    const isSame = url === undefined || url === shownReceiver(hook.url);
    const address = isSame ? hook.url : await this.#checkedAddress(url);
    const isSwitched = isOn !== undefined && isOn !== (hook.offSince === null);
    const off = isOn
      ? { offSince: null, offBecause: null, failingSince: null, emailDueAt: null }
      : { offSince: this.#deps.now(), offBecause: 'owner' as const };
    const row = await this.#deps.db.transaction(async (tx) => {
      const changed = await ownHooks.update(tx, hook.projectId, hook.id, { ...given, url: address, ...(isSwitched && off) });
      if (isSwitched && !isOn) await runIn(tx)({ text: stoppingDeliveries, values: [hook.id] });
      return changed;
    });
    return this.#show(orNotFound(row));
  }

  /** Makes a new secret. The present one signs beside it for a day, so that the receiver can change over. Throws `hook_refused` after too many in a day. */
  async replaceSecret(key: HookKey): Promise<CreatedHook> {
    const { db, secrets, now } = this.#deps;
    const hook = await this.#find(key);
    const secret = newHookSecret();
    const row = await db.transaction(async (tx) => {
      const present = orNotFound(await ownHooks.lock(tx, hook.projectId, hook.id));
      const former = this.#signing(present);
      if (former.length >= maxFormerSecrets) throw new HookRefused('secrets', { limit: maxFormerSecrets });
      const until = new Date(now().getTime() + secretOverlapHours * hourMs).toISOString();
      const secretSealed = secrets.seal(secret, aboutHookSecret(hook.id));
      const formerSecrets = [...former, { sealed: present.secretSealed, until }];
      return (await ownHooks.update(tx, hook.projectId, hook.id, { secretSealed, formerSecrets })) as HookRow;
    });
    return { ...this.#show(row), secret };
  }

  async remove(key: HookKey): Promise<void> {
    const hook = await this.#find(key);
    await ownHooks.remove(this.#deps.db, hook.projectId, hook.id);
  }

  /** Returns the deliveries of a hook, the newest first. */
  async deliveries(key: HookKey, page: { limit: number; offset: number }): Promise<{ items: HookDelivery[]; total: number }> {
    const hook = await this.#find(key);
    const { hookId, createdAt, id } = hookDeliveries;
    const ofHook = { table: hookDeliveries, where: eq(hookId, hook.id), order: [desc(createdAt), desc(id)] };
    const { items, total } = await readPage(this.#deps.db, ofHook, page);
    return { items: items.map((row) => showDelivery(row)), total };
  }

  /** Sends an event that tells nothing, once. */
  async test(key: HookKey): Promise<HookDelivery> {
    const hook = await this.#find(key);
    const at = this.#deps.now();
    const [row] = await this.#deps.db
      .insert(hookDeliveries)
      .values({
        id: v7(),
        hookId: hook.id,
        eventId: v7(),
        userId: key.userId,
        projectId: hook.projectId,
        event: 'test',
        about: {},
        createdAt: at,
        nextAt: sql`now()`,
      })
      .returning();
    await this.#deps.relay();
    return showDelivery(row as typeof hookDeliveries.$inferSelect);
  }

  /** Sends an event again, with its id. One on its way is sent at once. Throws `hook_refused` for a receiver that is off. */
  async resend(key: HookKey, deliveryId: string): Promise<HookDelivery> {
    const hook = await this.#find(key);
    if (hook.offSince !== null) throw new HookRefused('off');
    const [row] = await this.#deps.db
      .update(hookDeliveries)
      .set({ status: 'pending', attempt: 0, nextAt: sql`now()`, jobId: null, problem: null, answerStatus: null })
      .where(and(eq(hookDeliveries.id, deliveryId), eq(hookDeliveries.hookId, hook.id)))
      .returning();
    const delivery = showDelivery(orNotFound(row));
    await this.#deps.relay();
    return delivery;
  }

  /** Tries again now what waits for the chat of an account, as for the end of its quiet hours. */
  async retryChat(userId: OwnerId, projectId: string): Promise<void> {
    const waiting = and(eq(hookDeliveries.status, 'pending'), eq(hookDeliveries.attempt, 0), isNull(hookDeliveries.jobId));
    await this.#deps.db
      .update(hookDeliveries)
      .set({ nextAt: sql`now()` })
      .where(and(ofChat(userId, projectId), waiting));
    await this.#deps.relay();
  }

  /** Returns when an event for the chat of an account was given up last; null for never. A person who blocks the bot wants none. */
  async chatFailedAt(userId: OwnerId, projectId: string): Promise<Date | null> {
    const isLost = and(eq(hookDeliveries.status, 'failed'), ne(hookDeliveries.problem, 'blocked'));
    const [last] = await this.#deps.db
      .select({ at: hookDeliveries.triedAt })
      .from(hookDeliveries)
      .where(and(ofChat(userId, projectId), isLost))
      .orderBy(desc(hookDeliveries.triedAt))
      .limit(1);
    return last?.at ?? null;
  }

  /** Returns the message that asks an account a question in its chat: the last one, where it was sent twice. Null for none that is known. */
  async messageAbout(userId: OwnerId, questionId: string): Promise<number | null> {
    const isAbout = sql`${hookDeliveries.about} ->> 'questionId' = ${questionId}`;
    const [told] = await this.#deps.db
      .select({ messageId: hookDeliveries.messageId })
      .from(hookDeliveries)
      .where(and(eq(hookDeliveries.chatOf, userId), isAbout, isNotNull(hookDeliveries.messageId)))
      .orderBy(desc(hookDeliveries.triedAt))
      .limit(1);
    return told?.messageId ?? null;
  }

  /** Removes secrets that sign no more, and deliveries that have ended long ago, one batch. Returns whether there may be more. */
  async removeOld(): Promise<boolean> {
    const at = this.#deps.now();
    const before = new Date(at.getTime() - keptDays * dayMs);
    const areOver = sql`(${hooksOut.formerSecrets} -> -1 ->> 'until')::timestamptz <= ${at.toISOString()}`;
    await this.#deps.db.update(hooksOut).set({ formerSecrets: [] }).where(areOver);
    const { rowCount } = await this.#deps.db.execute(sql`DELETE FROM hook_deliveries WHERE id IN
      (SELECT id FROM hook_deliveries WHERE created_at < ${before} AND status <> 'pending' LIMIT ${removedAtOnce})`);
    return rowCount === removedAtOnce;
  }

  #show(row: HookRow): HookOut {
    return showHook({ ...row, url: shownReceiver(row.url) }, { formerSecretUntil: this.#signing(row).at(-1)?.until ?? null });
  }

  /** Returns the replaced secrets that still sign, the newest last. */
  #signing({ formerSecrets }: HookRow): FormerSecret[] {
    const at = this.#deps.now();
    return formerSecrets.filter(({ until }) => new Date(until) > at);
  }

  async #find({ userId, project, hookId }: HookKey): Promise<HookRow> {
    const projectId = await this.#deps.resolveProject(userId, project);
    return orNotFound(await ownHooks.find(this.#deps.db, projectId, hookId));
  }

  /** Returns an address in its canonical form. A key in its query would be backed up as it is, and the signature proves the sender. */
  async #checkedAddress(given: string): Promise<string> {
    const url = URL.parse(given);
    const { allowPrivateHosts, isHostAllowed } = this.#deps;
    if (url === null || holdsSecret(url)) throw new HookRefused('address');
    if (!isWebAddress(url, allowPrivateHosts)) throw new HookRefused('address');
    url.hash = '';
    if (!(await isHostAllowed(url.href))) throw new HookRefused('host');
    return url.href;
  }
}

const ofChat = (userId: OwnerId, projectId: string) => and(eq(hookDeliveries.chatOf, userId), eq(hookDeliveries.projectId, projectId));
