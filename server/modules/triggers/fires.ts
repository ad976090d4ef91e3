import type { ErrorCode } from '../../../contract/errors.ts';
import type { InputField, TeamRun } from '../../../contract/released-team.ts';
import { type FireOutcome, type FireReason, keptBodies, maxWaitingFires } from '../../../contract/trigger.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Language, ofOwnAccount, type StoreIdempotentResponse } from '../../http/call.ts';
import { failureSentence } from '../../http/failure.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, isNotNull, isNull, ne, sql } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { isSpent, type ShownKeyBudget } from '../budgets/index.ts';
import type { Runs } from '../executions/index.ts';
import type { TeamCalls } from '../released-teams/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import type { Arrival } from './kinds/team-values.ts';
import type { Threads } from './kinds/trigger-kind.ts';
import { LeaseLost } from './lease-lost.ts';
import { type FireRow, type FireSource, fires, type ShownFire, shownFire, type TriggerRow, triggers } from './tables.ts';
import { inputOf, isReadOn, kindOf } from './trigger-kinds.ts';

export type FiresDeps = {
  db: Db;
  calls: Pick<TeamCalls, 'start'>;
  executions: Pick<Runs['executions'], 'stop'>;
  storage: Pick<AccountStorage, 'storing'>;
  /** The slug and the fields of a released team; null for one that is gone. */
  teamOf: (teamId: string) => Promise<{ slug: string; input: InputField[] } | null>;
  ownerOf: (userId: OwnerId) => Promise<{ email: string; name: string; language: Language | null; isLeaving: boolean } | null>;
  budgetOf: (keyId: string) => Promise<ShownKeyBudget | null>;
  threads: Threads;
};

/**
 * What came in. `key` names the event: the same one twice starts one run. `dueAt`: its instant; now for null. `sameForMs`: the key is that of another event
 * after this time.
 */
export type NewFire = { key: string; dueAt: Date | null; source: FireSource; body: string | null; sameForMs?: number };
/** `isDouble`: the event came before, and `fire` is the first one. */
type Fired = { fire: ShownFire; isDouble: boolean };
/** Writes in the transaction that stores a fire. */
type Within = (tx: Db) => Promise<void>;

type Condition = ReturnType<typeof and>;
type Denied = { outcome: Exclude<FireOutcome, 'started'>; reason: FireReason; detail?: string | undefined };

/** Thrown in the transaction of a start, so that nothing of it stays. `double`: another process has stored the fire. */
class StartDenied extends ApiError {
  readonly why: Denied | 'double';

  constructor(why: Denied | 'double') {
    super('conflict');
    this.why = why;
  }
}

/** What says more than that a start was refused for now (`busy`) or for good (`fault`). */
const reasonOfCode: Partial<Record<ErrorCode, FireReason>> = {
  quota_reached: 'quota',
  storage_full: 'storage',
  not_found: 'team_gone',
  team_changed: 'team_changed',
};
/** What ends by itself or by the owner: a fire that has it waits. */
const passing: ReadonlySet<FireReason> = new Set(['repository', 'busy', 'quota', 'storage']);
/** Refusals after which the same event may come again, and is then a new one. */
const repeatable: ReadonlySet<FireReason | null> = new Set(['queue', 'quota', 'storage']);
/** The pause before a waiting fire without a place is tried again (s). */
const busySeconds = 30;
/** Why a repository could not be read that may be read later. */
const away: ReadonlySet<unknown> = new Set(['git_timeout', 'git_failed', 'git_no_host', 'git_proxy']);
/** The longest kept body of an event that starts nothing (bytes): most can be sent again once the trigger takes them. */
const longestUnstarted = 4 * 1_024;
/** For how long an event waits for its repository (s). */
const awaySeconds = 3_600;
const nothing: Within = async () => {};
const ping: Denied = { outcome: 'filtered', reason: 'ping' };

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
    const earlier = await this.#earlier(this.#deps.db, trigger.id, fire);
    if (earlier && !earlier.isOver) return this.#double(trigger, fire, within);
    const arrival = arrivalOf(fire);
    // Whatever else holds the trigger back: its sender asks whether a call arrives.
    const denied = kindOf(trigger).isPing(arrival.event) ? ping : await this.#deniedNow(trigger);
    if (denied) {
      // Behind others that wait for the same, an issue waits too.
      const isBehind =
        denied.reason === 'budget' &&
        kindOf(trigger).waitsFor.has('budget') &&
        (await this.#deps.db.$count(fires, isWaiting(trigger.id))) > 0;
      return this.note(trigger, fire, isBehind ? { ...denied, outcome: 'waiting' } : denied, within);
    }
    const { denied: unfit } = await this.tryBody(trigger, arrival);
    if (unfit) return this.note(trigger, fire, unfit, within);
    const why = await this.#startNew(trigger, fire, within);
    if (why === 'double') return this.#double(trigger, fire, within);
    if (why === null) return this.#shown(trigger, fire, true);
    const isKept = why.reason === 'busy' || (passing.has(why.reason) && kindOf(trigger).comesOnce);
    const noted = await this.note(trigger, fire, isKept ? { ...why, outcome: 'waiting' } : why, within);
    if (trigger.overlap !== 'cancel_older' || noted.isDouble || noted.fire.outcome !== 'waiting') return noted;
    await this.startWaiting(trigger, fire);
    return this.#shown(trigger, fire, true);
  }

  /**
   * Stores a fire that starts nothing now. One that waits is refused once too many wait. What comes only once, as an instant, is stored in a full account
   * too. What comes with a body counts towards the account: where it does not fit, an event that would wait is refused. Of an
   * event that starts nothing at all only a short body is kept.
   */
  async note(trigger: TriggerRow, { body: sent, ...fire }: NewFire, denied: Denied, within: Within = nothing): Promise<Fired> {
    const waits = denied.outcome === 'waiting';
    const bytes = Buffer.byteLength(sent ?? '');
    const body = waits || bytes <= longestUnstarted ? sent : null;
    if (body === null) return this.#store(trigger, { ...fire, body }, denied, within);
    const store = () => this.#store(trigger, { ...fire, body }, denied, within);
    return this.#deps.storage.storing({ userId: trigger.runAs, bytes }, store).catch(async (error: unknown) => {
      const reason = error instanceof ApiError ? reasonOfCode[error.code] : undefined;
      if (reason !== 'quota' && reason !== 'storage') throw error;
      const isRare = kindOf(trigger).comesOnce && waits && (await this.#deps.db.$count(fires, isWaiting(trigger.id))) < maxWaitingFires;
      if (isRare) return store();
      return this.#store(trigger, { ...fire, body: null }, waits ? { outcome: 'refused', reason } : denied, within);
    });
  }

  async #store(trigger: TriggerRow, fire: NewFire, denied: Denied, within: Within): Promise<Fired> {
    const isNew = await this.#deps.db.transaction(async (tx) => {
      await lock(tx, trigger.id);
      const most = denied.outcome === 'waiting' && trigger.overlap !== 'cancel_older' ? kindOf(trigger).maxWaiting : null;
      const isFull = most !== null && (await tx.$count(fires, isWaiting(trigger.id))) >= most;
      const { outcome, reason, detail } = isFull ? { outcome: 'refused' as const, reason: 'queue' as const, detail: undefined } : denied;
      const body = outcome === 'refused' && passing.has(reason) ? null : fire.body;
      const isStored = await this.#insert(tx, trigger, { ...fire, body }, { outcome, reason, detail: detail ?? null });
      if (isStored && outcome === 'waiting') await this.#replaceWaiting(tx, trigger, fire.key);
      await within(tx);
      if (reason === 'team_gone')
        await tx
          .update(triggers)
          .set(pausedWithoutTeam)
          .where(and(eq(triggers.id, trigger.id), isNull(triggers.pausedAt)));
      return isStored;
    });
    return this.#shown(trigger, fire, isNew);
  }

  /**
   * Starts a fire that has waited. Nothing happens while a run of its trigger is under way, and when another process was first. Where newer events end
   * older runs, these are stopped before: all runs under way are older than an event that waits.
   */
  async startWaiting(trigger: TriggerRow, waiting: Pick<FireRow, 'key' | 'body' | 'source'>): Promise<void> {
    const here = and(isFire(trigger.id, waiting.key), eq(fires.outcome, 'waiting'));
    const isOurs = async (tx: Db, runId: string) => {
      const taken = await tx
        .update(fires)
        .set({ outcome: 'started', reason: null, detail: null, executionId: runId, notBefore: null, isSettled: false })
        .where(here)
        .returning({ key: fires.key });
      if (taken.length > 0) await this.#replaceWaiting(tx, trigger, waiting.key);
      return taken.length > 0;
    };
    const start = async () => {
      if (trigger.overlap === 'cancel_older') await this.#stopOlder(trigger, here);
      return this.#start(trigger, arrivalOf(waiting), { isOurs, within: nothing });
    };
    const why = (await this.#deniedNow(trigger)) ?? (await start());
    if (why === null || why === 'double' || why.reason === 'running') return;
    const waitsOn = passing.has(why.reason) || kindOf(trigger).waitsFor.has(why.reason);
    if (waitsOn && (await this.#putOff(here, why.reason))) return;
    await this.#deps.db
      .update(fires)
      .set({ outcome: why.outcome, reason: why.reason, detail: why.detail ?? null, notBefore: null })
      .where(here);
  }

  /** There is no place for a waiting fire: it waits on. Returns false where it has waited long enough for its repository. */
  async #putOff(waiting: Condition, reason: FireReason): Promise<boolean> {
    const isInTime = reason === 'repository' ? sql`${fires.at} > now() - ${awaySeconds} * interval '1 s'` : undefined;
    const putOff = await this.#deps.db
      .update(fires)
      .set({ reason, notBefore: sql`now() + ${busySeconds} * interval '1 s'` })
      .where(and(waiting, isInTime))
      .returning({ key: fires.key });
    return putOff.length > 0;
  }

  /** Where newer events end older runs, one event waits: the newest. Runs under the lock of the trigger. */
  async #replaceWaiting(tx: Db, { id, overlap }: TriggerRow, key: string): Promise<void> {
    if (overlap !== 'cancel_older') return;
    await tx
      .update(fires)
      .set({ outcome: 'skipped', reason: 'newer', notBefore: null })
      .where(and(isWaiting(id), ne(fires.key, key)));
  }

  /** Stops the runs of a trigger that are older than an event, if it still waits. */
  async #stopOlder(trigger: TriggerRow, waiting: Condition): Promise<void> {
    const older = await this.#deps.db.transaction(async (tx) => {
      await lock(tx, trigger.id);
      return (await tx.$count(fires, waiting)) > 0 ? this.#underWay(tx, trigger, null) : [];
    });
    for (const id of older) {
      await this.#deps.executions.stop(trigger.runAs, id).catch((error: unknown) => {
        // It has ended meanwhile.
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  /** Says what would become of an event, without storing anything. Returns the input of the team. */
  async tryBody(trigger: TriggerRow, arrival: Arrival) {
    const team = trigger.teamId === null ? null : await this.#deps.teamOf(trigger.teamId);
    if (!team) return { denied: { outcome: 'failed', reason: 'team_gone' } as const, input: null };
    return inputOf(trigger.settings, team.input, arrival);
  }

  /** Finds the fire with the key of an event. `isOver`: the event that comes now is another one, or may be tried anew. */
  async #earlier(db: Db, triggerId: string, { key, sameForMs }: NewFire) {
    const { at, outcome, reason } = fires;
    const isOld = sameForMs === undefined ? sql<boolean>`false` : sql<boolean>`${at} <= clock_timestamp() - ${sameForMs} * interval '1 ms'`;
    const [row] = await db.select({ at, outcome, reason, isOld }).from(fires).where(isFire(triggerId, key));
    if (!row) return null;
    const isRefused = row.outcome === 'refused' && repeatable.has(row.reason);
    return { at: row.at, isRefused, isOver: row.isOld || isRefused };
  }

  /** Stores a fire, under the lock of its trigger. Returns false where its event has one. A fire whose key is over gets another; a refused one is replaced. */
  async #insert(tx: Db, { id }: TriggerRow, fire: NewFire, values: Pick<FireRow, 'outcome'> & Partial<FireRow>): Promise<boolean> {
    const { key, source, body } = fire;
    const earlier = await this.#earlier(tx, id, fire);
    if (earlier && !earlier.isOver) return false;
    if (earlier?.isRefused) await tx.delete(fires).where(isFire(id, key));
    else if (earlier)
      await tx
        .update(fires)
        .set({ key: `${key}:${earlier.at.toISOString()}` })
        .where(isFire(id, key));
    const at = sql`clock_timestamp()`;
    await tx.insert(fires).values({ triggerId: id, key, dueAt: fire.dueAt ?? at, at, source, body, ...values });
    if (body !== null) await this.#forgetBodies(tx, id);
    return true;
  }

  async #shown(trigger: TriggerRow, { key }: NewFire, isNew: boolean): Promise<Fired> {
    return { fire: (await this.find(trigger.id, key)) as ShownFire, isDouble: !isNew };
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

  /** Starts the run of a new fire, unless others have come before. */
  async #startNew(trigger: TriggerRow, fire: NewFire, within: Within): Promise<Denied | 'double' | null> {
    const isBehind = trigger.overlap !== 'cancel_older' && (await this.#deps.db.$count(fires, isWaiting(trigger.id))) > 0;
    if (isBehind) return busyOf(trigger);
    const isOurs = async (tx: Db, executionId: string) => {
      const isStored = await this.#insert(tx, trigger, fire, { outcome: 'started', executionId });
      if (isStored) await this.#replaceWaiting(tx, trigger, fire.key);
      return isStored;
    };
    return this.#start(trigger, arrivalOf(fire), { isOurs, within });
  }

  /** Starts the run of a fire. `isOurs` stores the fire with its run, and returns false when another process has. Returns null when it has started. */
  async #start(
    trigger: TriggerRow,
    arrival: Arrival,
    { isOurs, within }: { isOurs: (tx: Db, runId: string) => Promise<boolean>; within: Within },
  ): Promise<Denied | 'double' | null> {
    const { denied, input } = await this.tryBody(trigger, arrival);
    const { body } = arrival;
    if (denied) return denied;
    const { db, calls, storage, teamOf, threads } = this.#deps;
    const [caller, team] = [await this.#callerOf(trigger), trigger.teamId === null ? null : await teamOf(trigger.teamId)];
    if (!caller || !team) return { outcome: 'failed', reason: 'team_gone' };
    // Looked at before anything is stored, and decided under the lock.
    if ((await this.#underWay(db, trigger, null)).length > 0) return busyOf(trigger);
    try {
      const keep: StoreIdempotentResponse = async (tx, answer) => {
        const { id } = answer as TeamRun;
        if (await lock(tx, trigger.id)) throw new StartDenied({ outcome: 'refused', reason: 'paused' });
        if ((await this.#underWay(tx, trigger, id)).length > 0) throw new StartDenied(busyOf(trigger));
        if (!(await isOurs(tx, id))) throw new StartDenied('double');
        await within(tx);
        // The result of the run before would be lost.
        if (!(await kindOf(trigger).started(threads, tx, { trigger, body, runId: id }))) throw new StartDenied(busyOf(trigger));
      };
      const parts = await kindOf(trigger).parts(threads, trigger, body, caller.language);
      const bytes = Buffer.byteLength(body ?? '');
      await storage.storing({ userId: trigger.runAs, bytes }, () => calls.start(caller, team.slug, { input, ...parts }, keep));
      return null;
    } catch (error) {
      if (error instanceof StartDenied) return error.why;
      if (error instanceof ApiError && !(error instanceof LeaseLost)) return deniedBy(error, caller.language);
      throw error;
    }
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
    const user = ofOwnAccount({ id: runAs, ...person, sessionId: keyId, tokenGoodUntil: Number.MAX_SAFE_INTEGER, isStaff: false, key });
    const signal = new AbortController().signal;
    return { user, language: owner.language ?? ('ru' as const), signal, words: kindOf({ kind }).words };
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

const pausedWithoutTeam = {
  pausedAt: sql`now()`,
  pausedReason: 'team' as const,
  emailDueAt: sql`now()`,
  nextAt: sql`CASE WHEN ${isReadOn} THEN next_at END`,
  jobId: sql`CASE WHEN ${isReadOn} THEN job_id END`,
};
const isFire = (triggerId: string, key: string) => and(eq(fires.triggerId, triggerId), eq(fires.key, key));
const isWaiting = (triggerId: string) => and(eq(fires.triggerId, triggerId), eq(fires.outcome, 'waiting'));

/** One fire of a trigger is stored after another, each with those before it. Returns whether the trigger is paused by now. */
async function lock(tx: Db, triggerId: string): Promise<boolean> {
  const [row] = await tx.select({ pausedAt: triggers.pausedAt }).from(triggers).where(eq(triggers.id, triggerId)).for('no key update');
  return row !== undefined && row.pausedAt !== null;
}

function arrivalOf({ body, source }: Pick<NewFire, 'body' | 'source'>): Arrival {
  return { body, event: source.about ?? null };
}

function busyOf({ overlap }: TriggerRow): Denied {
  return { outcome: overlap === 'skip' ? 'skipped' : 'waiting', reason: 'running' };
}

function deniedBy(error: ApiError, language: Language): Denied {
  const { code, options } = error;
  const isAway = code === 'input_refused' && away.has(options.details?.reason);
  const reason = isAway ? 'repository' : (reasonOfCode[code] ?? (error.passes ? 'busy' : undefined));
  if (reason === 'team_gone' || reason === 'team_changed') return { outcome: 'failed', reason };
  if (reason) return { outcome: 'refused', reason };
  const detail = options.errors?.map(({ path, message: text }) => `${path}: ${text}`).join(' ') ?? failureSentence(language, error);
  return {
    outcome: 'failed',
    reason: code === 'bad_request' || code === 'input_refused' ? 'input' : 'fault',
    detail: detail.slice(0, 500),
  };
}
