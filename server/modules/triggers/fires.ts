import type { InputField, TeamRun } from '../../../contract/released-team.ts';
import { type FireOutcome, type FireReason, keptBodies, maxWaitingFires } from '../../../contract/trigger.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, SignedIn, StoreIdempotentResponse } from '../../http/call.ts';
import { elapsedBetween } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, isNotNull, isNull, sql } from '../../platform/database/drizzle.ts';
import { isSpent, type ShownKeyBudget } from '../budgets/index.ts';
import type { Runs } from '../executions/index.ts';
import type { TeamCalls } from '../released-teams/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import { inputOf } from './input-of.ts';
import { type FireRow, type FireSource, fires, type ShownFire, shownFire, type TriggerRow, triggers } from './tables.ts';

export type FiresDeps = {
  db: Db;
  now: () => Date;
  calls: Pick<TeamCalls, 'start'>;
  executions: Pick<Runs['executions'], 'stop'>;
  storage: Pick<AccountStorage, 'storing'>;
  /** The slug and the fields of a released team; null for one that is gone. */
  teamOf: (teamId: string) => Promise<{ slug: string; input: InputField[] } | null>;
  ownerOf: (userId: string) => Promise<{ email: string; name: string; language: Language | null; isLeaving: boolean } | null>;
  budgetOf: (keyId: string) => Promise<ShownKeyBudget | null>;
};

/**
 * What came in. `key` names the event: the same one twice starts one run. `dueAt`: its instant; now for null. `sameForMs`: the key is that of another event
 * after this time.
 */
export type NewFire = { key: string; dueAt: Date | null; source: FireSource; body: string | null; sameForMs?: number };
/** `isDouble`: the event came before, and `fire` is the first one. */
export type Fired = { fire: ShownFire; isDouble: boolean };
/** Writes in the transaction that stores a fire. */
type Within = (tx: Db) => Promise<void>;

type Denied = { outcome: Exclude<FireOutcome, 'started'>; reason: FireReason; detail?: string | undefined };

/** Thrown in the transaction of a start, so that nothing of it stays. `double`: another process has stored the fire. */
class StartDenied extends ApiError {
  readonly why: Denied | 'double';

  constructor(why: Denied | 'double') {
    super('conflict');
    this.why = why;
  }
}

/** Thrown by `within` where the fire is not to be stored: another process has its event. */
export class Superseded extends ApiError {
  constructor() {
    super('conflict');
  }
}

const reasonOfCode: Partial<Record<string, FireReason>> = {
  team_busy: 'busy',
  too_many_runs: 'busy',
  busy: 'busy',
  quota_reached: 'quota',
  storage_full: 'storage',
  not_found: 'team_gone',
  team_changed: 'team_changed',
};
/** The pause before a waiting fire whose team is busy is tried again (s). */
const busySeconds = 30;
const nothing: Within = async () => {};

/**
 * The only way in for all triggers. One transaction stores the fire, the run that it starts, and the run's job. The key of the fire is unique, so however
 * often and wherever an event arrives, it starts one run.
 */
export class Fires {
  readonly #deps: FiresDeps;

  constructor(deps: FiresDeps) {
    this.#deps = deps;
  }

  async find(triggerId: string, key: string): Promise<ShownFire | null> {
    const [row] = await this.#deps.db.select(shownFire).from(fires).where(isFire(triggerId, key));
    return row ?? null;
  }

  /** Returns what came with a fire; null where it is not kept. */
  async bodyOf(triggerId: string, key: string): Promise<string | null> {
    const [row] = await this.#deps.db.select({ body: fires.body }).from(fires).where(isFire(triggerId, key));
    return row?.body ?? null;
  }

  /** Starts a run, or stores why none is started. Throws only for faults, with nothing stored. */
  async fire(trigger: TriggerRow, fire: NewFire, within: Within = nothing): Promise<Fired> {
    const earlier = await this.find(trigger.id, fire.key);
    if (earlier && !this.#isOver(earlier, fire)) return this.#double(trigger, fire, within);
    const denied = await this.#deniedNow(trigger);
    if (denied) return this.note(trigger, fire, denied, within);
    const { denied: unfit } = await this.tryBody(trigger, fire.body);
    if (unfit) return this.note(trigger, fire, unfit, within);
    // The others have come before.
    if (trigger.overlap === 'queue' && (await this.#deps.db.$count(fires, isWaiting(trigger.id))) > 0)
      return this.note(trigger, fire, busyOf(trigger), within);
    const isOurs = (tx: Db, executionId: string) => this.#insert(tx, trigger, fire, { outcome: 'started', executionId });
    const why = await this.#start(trigger, fire.body, { isOurs, within });
    if (why === 'double') return this.#double(trigger, fire, within);
    if (why !== null) return this.note(trigger, fire, why, within);
    return { fire: (await this.find(trigger.id, fire.key)) as ShownFire, isDouble: false };
  }

  /**
   * Stores a fire that starts nothing now. One that waits is refused once too many wait. It is stored in a full account too: its instant would else be lost
   * without a word, and bodies are few.
   */
  async note(trigger: TriggerRow, fire: NewFire, denied: Denied, within: Within = nothing): Promise<Fired> {
    const isNew = await this.#deps.db.transaction(async (tx) => {
      await lock(tx, trigger.id);
      const isFull = denied.outcome === 'waiting' && (await tx.$count(fires, isWaiting(trigger.id))) >= maxWaitingFires;
      const { outcome, reason, detail } = isFull ? { outcome: 'refused' as const, reason: 'queue' as const, detail: undefined } : denied;
      const isStored = await this.#insert(tx, trigger, fire, { outcome, reason, detail: detail ?? null });
      await within(tx);
      if (reason === 'team_gone')
        await tx
          .update(triggers)
          .set(pausedWithoutTeam)
          .where(and(eq(triggers.id, trigger.id), isNull(triggers.pausedAt)));
      return isStored;
    });
    return { fire: (await this.find(trigger.id, fire.key)) as ShownFire, isDouble: !isNew };
  }

  /** Starts a fire that has waited. Nothing happens while a run of its trigger is under way, and when another process was first. */
  async startWaiting(trigger: TriggerRow, waiting: Pick<FireRow, 'key' | 'body'>): Promise<void> {
    const here = and(isFire(trigger.id, waiting.key), eq(fires.outcome, 'waiting'));
    const isOurs = async (tx: Db, runId: string) => {
      const taken = await tx
        .update(fires)
        .set({ outcome: 'started', reason: null, detail: null, executionId: runId, notBefore: null, isSettled: false })
        .where(here)
        .returning({ key: fires.key });
      return taken.length > 0;
    };
    const why = (await this.#deniedNow(trigger)) ?? (await this.#start(trigger, waiting.body, { isOurs, within: nothing }));
    if (why === null || why === 'double' || why.outcome === 'waiting' || why.reason === 'running') return;
    if (why.reason === 'busy') return this.#putOff(trigger.id, waiting.key);
    await this.#deps.db
      .update(fires)
      .set({ outcome: why.outcome, reason: why.reason, detail: why.detail ?? null, notBefore: null })
      .where(here);
  }

  /** Another caller has the place of a waiting fire: it waits on. */
  async #putOff(triggerId: string, key: string): Promise<void> {
    await this.#deps.db
      .update(fires)
      .set({ notBefore: sql`now() + ${busySeconds} * interval '1 s'` })
      .where(and(isFire(triggerId, key), eq(fires.outcome, 'waiting')));
  }

  /** Says what would become of a body, without storing anything. Returns the input of the team. */
  async tryBody(trigger: TriggerRow, body: string | null) {
    const team = trigger.teamId === null ? null : await this.#deps.teamOf(trigger.teamId);
    if (!team) return { denied: { outcome: 'failed', reason: 'team_gone' } as const, input: null };
    return inputOf(trigger.settings, team.input, body);
  }

  /** Whether an event with the same key is another one by now. */
  #isOver({ at }: Pick<FireRow, 'at'>, { sameForMs = Number.POSITIVE_INFINITY }: NewFire): boolean {
    return elapsedBetween(at, this.#deps.now()) >= sameForMs;
  }

  /** Stores a fire, under the lock of its trigger. Returns false where its event has one. A fire whose key is over gets another. */
  async #insert(tx: Db, { id }: TriggerRow, fire: NewFire, values: Pick<FireRow, 'outcome'> & Partial<FireRow>): Promise<boolean> {
    const { key, dueAt, source, body } = fire;
    const [earlier] = await tx.select({ at: fires.at }).from(fires).where(isFire(id, key));
    if (earlier && !this.#isOver(earlier, fire)) return false;
    if (earlier)
      await tx
        .update(fires)
        .set({ key: `${key}:${earlier.at.toISOString()}` })
        .where(isFire(id, key));
    const at = this.#deps.now();
    await tx.insert(fires).values({ triggerId: id, key, dueAt: dueAt ?? at, at, source, body, ...values });
    if (body !== null) await this.#forgetBodies(tx, id);
    return true;
  }

  async #double(trigger: TriggerRow, { key }: NewFire, within: Within): Promise<Fired> {
    if (within !== nothing) await this.#deps.db.transaction(within);
    const fire = await this.find(trigger.id, key);
    if (!fire) throw new Error('A fire has gone while its event came again.');
    return { fire, isDouble: true };
  }

  /** Looks at what denies any start of the trigger. */
  async #deniedNow({ pausedAt, keyId, runAs }: TriggerRow): Promise<Denied | null> {
    if (pausedAt !== null) return { outcome: 'refused', reason: 'paused' };
    if ((await this.#deps.ownerOf(runAs))?.isLeaving !== false) return { outcome: 'refused', reason: 'owner' };
    const budget = await this.#deps.budgetOf(keyId);
    return budget !== null && isSpent(budget) ? { outcome: 'refused', reason: 'budget' } : null;
  }

  /** Starts the run of a fire. `isOurs` stores the fire with its run, and returns false when another process has. Returns null when it has started. */
  async #start(
    trigger: TriggerRow,
    body: string | null,
    { isOurs, within }: { isOurs: (tx: Db, runId: string) => Promise<boolean>; within: Within },
  ): Promise<Denied | 'double' | null> {
    const { denied, input } = await this.tryBody(trigger, body);
    if (denied) return denied;
    const { db, calls, storage, teamOf } = this.#deps;
    const [caller, team] = [await this.#callerOf(trigger), trigger.teamId === null ? null : await teamOf(trigger.teamId)];
    if (!caller || !team) return { outcome: 'failed', reason: 'team_gone' };
    // Looked at before anything is stored, and decided under the lock.
    if (await this.#isBusy(db, trigger, null)) return busyOf(trigger);
    try {
      let older: string[] = [];
      const keep: StoreIdempotentResponse = async (tx, answer) => {
        const { id } = answer as TeamRun;
        await lock(tx, trigger.id);
        if (await this.#isBusy(tx, trigger, id)) throw new StartDenied(busyOf(trigger));
        if (!(await isOurs(tx, id))) throw new StartDenied('double');
        // Under the lock of the trigger: those that began before this one.
        if (trigger.overlap === 'cancel_older') older = await this.#underWay(tx, trigger, id);
        await within(tx);
      };
      const bytes = Buffer.byteLength(body ?? '');
      await storage.storing({ userId: trigger.runAs, bytes }, () => calls.start(caller, team.slug, { input, ...filesOf(body) }, keep));
      await this.#stop(trigger, older);
      return null;
    } catch (error) {
      if (error instanceof StartDenied) return error.why;
      if (error instanceof ApiError && !(error instanceof Superseded)) return deniedBy(error);
      throw error;
    }
  }

  /** Stops runs of a trigger. One that has ended meanwhile stays as it is. */
  async #stop(trigger: TriggerRow, runIds: readonly string[]): Promise<void> {
    for (const id of runIds) {
      await this.#deps.executions.stop(trigger.runAs, id).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  async #isBusy(db: Db, trigger: TriggerRow, runId: string | null): Promise<boolean> {
    return trigger.overlap !== 'cancel_older' && (await this.#underWay(db, trigger, runId)).length > 0;
  }

  /** Returns the runs of a trigger that have not ended, but one. */
  async #underWay(db: Db, { keyId }: TriggerRow, except: string | null): Promise<string[]> {
    const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM executions WHERE key_id = ${keyId}::uuid
      AND status IN ('pending', 'running', 'paused') AND id IS DISTINCT FROM ${except}::uuid`);
    return rows.map(({ id }) => id);
  }

  /** The account of a trigger, which calls with the trigger's key. */
  async #callerOf({ runAs, keyId, projectId, name, kind }: TriggerRow) {
    const owner = await this.#deps.ownerOf(runAs);
    if (!owner) return null;
    const key = { id: keyId, name, projectId, scopes: ['run'] as const, hasBudget: true, address: '' };
    const { isLeaving: _, ...person } = owner;
    const user: SignedIn = { id: runAs, ...person, sessionId: keyId, tokenGoodUntil: Number.MAX_SAFE_INTEGER, isStaff: false, key };
    const signal = new AbortController().signal;
    return { user, language: owner.language ?? ('ru' as const), signal, ...(kind === 'webhook' && { words: 'webhook' as const }) };
  }

  /** Keeps the bodies of the newest fires only, and those that wait or whose run may be repeated. */
  async #forgetBodies(tx: Db, triggerId: string): Promise<void> {
    const kept = tx
      .select({ key: fires.key })
      .from(fires)
      .where(and(eq(fires.triggerId, triggerId), isNotNull(fires.body)))
      .orderBy(desc(fires.at))
      .limit(keptBodies);
    await tx
      .update(fires)
      .set({ body: null })
      .where(
        sql`${fires.triggerId} = ${triggerId} AND ${fires.body} IS NOT NULL AND ${fires.outcome} <> 'waiting' AND NOT (${fires.outcome} = 'started' AND NOT ${fires.isSettled}) AND ${fires.key} NOT IN ${kept}`,
      );
  }
}

const pausedWithoutTeam = { pausedAt: sql`now()`, pausedReason: 'team' as const, emailDueAt: sql`now()`, nextAt: null, jobId: null };
const isFire = (triggerId: string, key: string) => and(eq(fires.triggerId, triggerId), eq(fires.key, key));
const isWaiting = (triggerId: string) => and(eq(fires.triggerId, triggerId), eq(fires.outcome, 'waiting'));

/** One fire of a trigger is stored after another, each with those before it. */
async function lock(tx: Db, triggerId: string): Promise<void> {
  await tx.select({ id: triggers.id }).from(triggers).where(eq(triggers.id, triggerId)).for('no key update');
}

function busyOf({ overlap }: TriggerRow): Denied {
  return { outcome: overlap === 'queue' ? 'waiting' : 'skipped', reason: 'running' };
}

/** What came is a file of the run. */
function filesOf(body: string | null) {
  return body === null ? {} : { files: [{ name: 'event.json', content: body }] };
}

function deniedBy({ code, message, options }: ApiError): Denied {
  const reason = reasonOfCode[code];
  if (reason === 'team_gone' || reason === 'team_changed') return { outcome: 'failed', reason };
  if (reason) return { outcome: 'refused', reason };
  const detail = options?.errors?.map(({ path, message: text }) => `${path}: ${text}`).join(' ') ?? message;
  return {
    outcome: 'failed',
    reason: code === 'bad_request' || code === 'input_refused' ? 'input' : 'fault',
    detail: detail.slice(0, 500),
  };
}
