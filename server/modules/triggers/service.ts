import { v7 } from 'uuid';
import type { z } from 'zod';
import type { keyBudget } from '../../../contract/budget.ts';
import type { Cost } from '../../../contract/cost.ts';
import { fillTask, type InputField, type TeamInput } from '../../../contract/released-team.ts';
import {
  type CreatedTrigger,
  type Fire,
  fire,
  maxTriggers,
  type newTriggerSecret,
  type SchedulePreview,
  type Trigger,
  type TriggerDetails,
  type TriggerKind,
  type TriggerSettings,
  trigger,
  type triggerCreation,
  type triggerTried,
  type triggerUpdate,
} from '../../../contract/trigger.ts';
import { meanCost } from '../../../rules/cost/cost-of.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, Member, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, sql } from '../../platform/database/drizzle.ts';
import { ownedRows, readPage } from '../../platform/database/owned-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { isJson } from '../../platform/is-json.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { WorkQueue } from '../../platform/work-queue/work-queue.ts';
import type { ApiKeys } from '../api-keys/index.ts';
import type { KeyBudgets, ShownKeyBudget } from '../budgets/index.ts';
import type { ForgeTarget } from '../publishing/index.ts';
import type { Fires } from './fires.ts';
import type { ForgeStates } from './forge/forge-states.ts';
import { checkSchedule } from './kinds/schedule-kind.ts';
import type { TriggerKindOf } from './kinds/trigger-kind.ts';
import { refusedField } from './refused-field.ts';
import { fires, type ShownFire, shownFire, type TriggerRow, triggers } from './tables.ts';
import { kindOf } from './trigger-kinds.ts';
import { aboutTriggerSecret, newWebhookSecret } from './webhook-secret.ts';

type TriggersDeps = {
  db: Db;
  now: () => Date;
  secrets: SecretBox;
  queue: Pick<WorkQueue, 'send' | 'wake' | 'markInUse' | 'noteUse'>;
  fires: Fires;
  forges: ForgeStates;
  keys: Pick<ApiKeys, 'createForTrigger' | 'renameOfTrigger' | 'revokeOfTrigger'>;
  budgets: KeyBudgets;
  /** Returns the id of an account's project. Throws `not_found`. */
  resolveProject: (userId: OwnerId, id: string) => Promise<string>;
  teams: {
    /** The released team of an account's project. Throws `not_found`. */
    get: (userId: OwnerId, projectId: string, teamId: string) => Promise<ShownTeam>;
    list: (userId: OwnerId, projectId: string) => Promise<ShownTeam[]>;
    /** What the last ten runs of the team have cost, each. */
    lastCosts: (teamId: string) => Promise<Cost[]>;
  };
  /** The repository that a project is published to; null without one. */
  targetOf: (projectId: string) => Promise<ForgeTarget | null>;
  /** The server's public address. */
  address: () => string;
  log: { warn: (about: object, line: string) => void };
};

type ShownTeam = { id: string; slug: string; title: string; task: string; input: InputField[] };
/** Names a trigger of an account. */
type TriggerKey = { userId: OwnerId; project: string; triggerId: string };
type Created = z.output<typeof triggerCreation>;
type Update = z.output<typeof triggerUpdate>;
/** `lasts`: the last fire of each trigger that has one. */
type Shown = {
  teams: ReadonlyMap<string, ShownTeam>;
  budgets: ReadonlyMap<string | null, ShownKeyBudget | null>;
  lasts: readonly ShownFire[];
};

/** How long the secret before is valid after a change (ms). */
const earlierSecretMs = 24 * 60 * 60 * 1_000;
/** Fires that a record of a trigger shows. */
const shownFires = 20;
/** How long fires are kept (days). */
const keptDays = 90;
const dayMs = 86_400_000;
const removedAtOnce = 1_000;

const ownTriggers = ownedRows(triggers, { owner: triggers.projectId, order: [asc(triggers.createdAt), asc(triggers.id)] });
const showTrigger = viewOf(trigger);
const showFire = viewOf(fire);

/** The triggers of projects, and what has come in. A foreign trigger is answered like a missing one. */
export class Triggers {
  readonly #deps: TriggersDeps;

  constructor(deps: TriggersDeps) {
    this.#deps = deps;
  }

  async list(userId: OwnerId, project: string): Promise<Trigger[]> {
    const projectId = await this.#deps.resolveProject(userId, project);
    const rows = await ownTriggers.list(this.#deps.db, projectId);
    const lasts = await this.#lastOf(rows.map(({ id }) => id));
    return this.#toTriggers(rows, { ...(await this.#shared(userId, projectId)), lasts });
  }

  async get(key: TriggerKey): Promise<TriggerDetails> {
    const row = await this.#find(key);
    const { teams, now } = this.#deps;
    const newest = await this.#newest(row.id, shownFires);
    const shown = await this.#toTrigger(row, { ...(await this.#shared(key.userId, row.projectId)), lasts: newest.slice(0, 1) });
    const costs = row.teamId === null ? [] : await teams.lastCosts(row.teamId);
    const outlook =
      row.pausedAt === null
        ? await kindOf(row)
            .outlook(row.settings, now())
            .catch((error) => this.#uncomputed(error))
        : null;
    return {
      ...shown,
      fires: await this.#toFires(newest),
      next: outlook?.next.map((at) => at.toISOString()) ?? [],
      costOfRun: costs.length === 0 ? null : meanCost(costs),
      firesADay: outlook?.firesADay ?? null,
      threads: await this.#deps.forges.threadsOf(row),
    };
  }

  /** Throws `too_many_triggers`, and `bad_request` for a schedule that never comes and for fields that the team does not name. */
  async create(user: Member, project: string, given: Created, language: Language, keep: StoreIdempotentResponse): Promise<CreatedTrigger> {
    const { db, secrets, keys, teams, queue, resolveProject, now } = this.#deps;
    const projectId = await resolveProject(user.ownerId, project);
    const team = await teams.get(user.ownerId, projectId, given.teamId);
    const { settings } = given;
    await this.#refuseSettings(settings, team, language);
    const [id, keyId] = [v7(), v7()];
    const kind = kindOf(settings);
    const secret = kind.hook && newWebhookSecret(kind.hook.secretFor(settings));
    const overlap = kind.overlap ?? given.overlap ?? 'skip';
    await this.#refusePlace(kind, projectId, given.overlap, language);
    const at = now();
    const { budget, ...rest } = given;
    const shared = await this.#shared(user.ownerId, projectId);
    const created = db.transaction(async (tx) => {
      const held = await ownTriggers.countAlone(tx, projectId);
      if (held >= maxTriggers) throw new ApiError('too_many_triggers', { params: { count: maxTriggers } });
      await keys.createForTrigger(tx, { id: keyId, userId: user.ownerId, projectId, name: given.name }, ofDay(budget), language);
      await tx.insert(triggers).values({
        ...rest,
        overlap,
        id,
        projectId,
        kind: settings.kind,
        runAs: user.ownerId,
        keyId,
        createdAt: at,
        updatedAt: at,
        secretSealed: secret === null ? null : secrets.seal(secret, aboutTriggerSecret(id)),
      });
      const row = await kind.begin(tx, id, settings, queue);
      const stored = await this.#deps.budgets.ofKey(keyId, tx);
      const made = { ...(await this.#toTrigger(row, { ...shared, budgets: new Map([[keyId, stored]]), lasts: [] })), secret };
      await keep(tx, made);
      return made;
    });
    return created.finally(() => {
      queue.markInUse('trigger');
      this.#wake(settings);
    });
  }

  async update(key: TriggerKey, { isOn, budget, ...given }: Update, language: Language): Promise<Trigger> {
    const row = await this.#find(key);
    const { db, teams, keys, budgets, queue, now } = this.#deps;
    const settings = given.settings ?? row.settings;
    if (settings.kind !== row.kind) throw refusedField('settings.kind', translate(language, 'field.trigger_kind'));
    const kind = kindOf(settings);
    const other = kind.fixed.find((name) => settings[name] !== row.settings[name]);
    if (other) throw refusedField(`settings.${other}`, translate(language, 'field.trigger_kind'));
    const teamId = given.teamId ?? row.teamId;
    if (teamId !== null && (given.settings !== undefined || given.teamId !== undefined))
      await this.#refuseSettings(settings, await teams.get(key.userId, row.projectId, teamId), language);
    // One that cannot be computed any more can be paused and renamed.
    if (given.settings || isOn) await kind.check(settings, { now: now(), language });
    if (given.settings || given.overlap || isOn) await this.#refusePlace(kind, row.projectId, given.overlap, language);
    if (isOn === true && teamId === null) throw refusedField('teamId', translate(language, 'field.team_gone'));
    const isSwitched = isOn !== undefined && isOn !== (row.pausedAt === null);
    const switched = isOn
      ? { pausedAt: null, pausedReason: null, failures: 0, emailDueAt: null }
      : { pausedAt: now(), pausedReason: 'owner' as const, ...(!kind.readsRepository && { nextAt: null, jobId: null }) };
    const changing = db.transaction(async (tx) => {
      if (budget) await budgets.change(tx, row.keyId, ofDay(budget), language);
      if (given.name !== undefined) await keys.renameOfTrigger(tx, row.keyId, given.name);
      const changes = { ...given, ...((isSwitched || isOn) && switched), updatedAt: now() };
      const changed = orNotFound(await ownTriggers.update(tx, row.projectId, row.id, changes));
      // Issues that have another label already are found only when all of them are read.
      if (kind.readsRepository && given.settings) await this.#deps.forges.readAnew(tx, row.id);
      // An edit computes the next instant anew: the old job finds another one, and ends.
      if (changed.pausedAt === null && (given.settings !== undefined || isSwitched)) await kind.begin(tx, row.id, changed.settings, queue);
    });
    await changing.finally(() => this.#wake(settings));
    return this.#shownOne(key);
  }

  /** Removes a trigger with its fires. Runs under way go on, within its budget. */
  async remove(key: TriggerKey): Promise<void> {
    const row = await this.#find(key);
    const { db, keys } = this.#deps;
    await db.transaction(async (tx) => {
      await keys.revokeOfTrigger(tx, row.keyId);
      await ownTriggers.remove(tx, row.projectId, row.id);
    });
  }

  /** Makes another secret of a webhook. The one before is valid for a day. */
  async renewSecret(key: TriggerKey, language: Language): Promise<z.output<typeof newTriggerSecret>> {
    const { id, settings, secretSealed } = await this.#find(key);
    const { hook } = kindOf(settings);
    if (!hook) throw refusedField('id', translate(language, 'field.trigger_kind'));
    const { db, secrets, now } = this.#deps;
    const secret = newWebhookSecret(hook.secretFor(settings));
    const earlierUntil = new Date(now().getTime() + earlierSecretMs);
    await db
      .update(triggers)
      .set({
        secretSealed: secrets.seal(secret, aboutTriggerSecret(id)),
        earlierSecretSealed: secretSealed,
        earlierUntil,
        updatedAt: now(),
      })
      .where(eq(triggers.id, id));
    return { secret, earlierUntil: earlierUntil.toISOString() };
  }

  async fires(key: TriggerKey, page: { limit: number; offset: number }): Promise<{ items: Fire[]; total: number }> {
    const { id } = await this.#find(key);
    const ofTrigger = { table: fires, columns: shownFire, where: eq(fires.triggerId, id), order: [desc(fires.at), asc(fires.key)] };
    const { items, total } = await readPage(this.#deps.db, ofTrigger, page);
    return { items: await this.#toFires(items), total };
  }

  /** Fires again with what came then, under another key. Throws `not_found` where the body is not kept any more. */
  async again(key: TriggerKey, fireKey: string, keep: StoreIdempotentResponse): Promise<Fire> {
    const row = await this.#find(key);
    const { fires: port } = this.#deps;
    const earlier = await port.find(row.id, fireKey);
    const body = await port.bodyOf(row.id, fireKey);
    if (!earlier || (body === null && kindOf(row).hasBody)) throw new ApiError('not_found');
    const again = { key: `again:${v7()}`, dueAt: null, source: { ...earlier.source, again: fireKey }, body };
    const shownIn = async (db: Db) => {
      const stored = await db
        .select(shownFire)
        .from(fires)
        .where(and(eq(fires.triggerId, row.id), eq(fires.key, again.key)));
      return (await this.#toFires(stored, db))[0] as Fire;
    };
    let kept: Fire | null = null;
    await port.fire(row, again, async (tx) => {
      kept = await shownIn(tx);
      await keep(tx, kept);
    });
    // A repeated call gets the same answer, whatever its run has come to meanwhile.
    return kept ?? shownIn(this.#deps.db);
  }

  /** Says what would become of a body: whether it passes, and the task that its run would get. Nothing is stored. */
  async try(
    key: TriggerKey,
    { body, event = null }: { body: string; event?: string | null | undefined },
  ): Promise<z.output<typeof triggerTried>> {
    const row = await this.#find(key);
    const { hasBody } = kindOf(row);
    if (hasBody && !isJson(body)) throw new ApiError('not_json');
    const { denied, input } = await this.#deps.fires.tryBody(row, { body: hasBody ? body : null, event });
    if (denied) return { passes: false, reason: denied.reason, detail: ('detail' in denied && denied.detail) || null, task: null };
    const team = await this.#deps.teams.get(key.userId, row.projectId, row.teamId ?? '');
    return { passes: true, reason: null, detail: null, task: fillTask(team.task, team.input, input as TeamInput) || team.title };
  }

  /** Throws `bad_request` for an expression or a zone that is unknown, and for one that never comes. */
  async preview(cron: string, zone: string, language: Language): Promise<SchedulePreview> {
    const { next, firesADay } = await checkSchedule({ cron, zone }, { now: this.#deps.now(), language });
    return { next: next.map((at) => at.toISOString()), firesADay };
  }

  /** A stored schedule that cannot be computed is shown without its instants, so that it can be changed. */
  #uncomputed(error: unknown): null {
    this.#deps.log.warn({ err: error }, 'The next instants of a schedule could not be computed.');
    return null;
  }

  /** Returns a webhook, or the hook of a forge, by its id, with the secrets that are valid now; null for other ids. */
  async ofHook(id: string): Promise<{ row: TriggerRow; secrets: string[] } | null> {
    const { db, secrets, now } = this.#deps;
    const [row] = await db.select().from(triggers).where(eq(triggers.id, id));
    if (!row || kindOf(row).hook === null) return null;
    const isEarlierValid = row.earlierUntil !== null && row.earlierUntil > now();
    const sealed = [row.secretSealed, isEarlierValid ? row.earlierSecretSealed : null];
    const opened = sealed.map((one) => (one === null ? null : secrets.open(one, aboutTriggerSecret(id))));
    return { row, secrets: opened.filter((secret) => secret !== null) };
  }

  /** Removes fires that are older than `keptDays`, one batch. Returns whether there may be more. */
  async removeOld(): Promise<boolean> {
    const before = new Date(this.#deps.now().getTime() - keptDays * dayMs).toISOString();
    const { rowCount } = await this.#deps.db.execute(sql`DELETE FROM fires WHERE ctid IN
      (SELECT ctid FROM fires WHERE at < ${before}::timestamptz AND outcome <> 'waiting' LIMIT ${removedAtOnce})`);
    return rowCount === removedAtOnce;
  }

  /** Called also after an error: the reply to a stored commit may be lost. */
  #wake(settings: TriggerSettings): void {
    const { queue } = this.#deps;
    // The looks of this queue also carry on what triggers of all kinds have begun.
    queue.noteUse('trigger');
    queue.wake(kindOf(settings).queue);
  }

  /** Refuses events of a repository for a project that is published to none, and another overlap than the only one. */
  async #refusePlace(
    kind: Pick<TriggerKindOf<TriggerKind>, 'readsRepository' | 'overlap'>,
    projectId: string,
    overlap: Created['overlap'],
    language: Language,
  ): Promise<void> {
    if (kind.readsRepository && !(await this.#deps.targetOf(projectId)))
      throw refusedField('settings', translate(language, 'field.trigger_repository'));
    if (overlap !== undefined && kind.overlap !== null && overlap !== kind.overlap)
      throw refusedField('overlap', translate(language, 'field.trigger_overlap'));
  }

  async #refuseSettings(settings: TriggerSettings, { input }: ShownTeam, language: Language): Promise<void> {
    const { check, filled } = kindOf(settings);
    await check(settings, { now: this.#deps.now(), language });
    const { at, values: named } = filled(settings);
    const known = new Set(input.filter(({ kind }) => kind !== 'file').map(({ name }) => name));
    const unknown = Object.keys(named).find((name) => !known.has(name));
    if (unknown !== undefined) throw refusedField(`${at}.${unknown}`, translate(language, 'field.unknown_input'));
    const missing = input.find(({ name, isOptional }) => !isOptional && !Object.hasOwn(named, name));
    if (missing) throw refusedField(`${at}.${missing.name}`, translate(language, 'field.missing_input'));
  }

  #newest(triggerId: string, limit: number): Promise<ShownFire[]> {
    return this.#deps.db.select(shownFire).from(fires).where(eq(fires.triggerId, triggerId)).orderBy(desc(fires.at)).limit(limit);
  }

  /** Returns the last fire of each of these triggers that has one: each is found by its index, in one statement. */
  async #lastOf(ids: readonly string[]): Promise<ShownFire[]> {
    const { triggerId, key } = fires;
    const newest = sql`SELECT one.id, last.key FROM unnest(${sql.param(ids)}::uuid[]) AS one (id),
      LATERAL (SELECT fires.key FROM fires WHERE fires.trigger_id = one.id ORDER BY fires.at DESC LIMIT 1) AS last`;
    return this.#deps.db.select(shownFire).from(fires).where(sql`(${triggerId}, ${key}) IN (${newest})`);
  }

  async #find({ userId, project, triggerId }: TriggerKey): Promise<TriggerRow> {
    const projectId = await this.#deps.resolveProject(userId, project);
    return orNotFound(await ownTriggers.find(this.#deps.db, projectId, triggerId));
  }

  async #shownOne(key: TriggerKey): Promise<Trigger> {
    const row = await this.#find(key);
    return this.#toTrigger(row, { ...(await this.#shared(key.userId, row.projectId)), lasts: await this.#newest(row.id, 1) });
  }

  async #shared(userId: OwnerId, projectId: string): Promise<Pick<Shown, 'teams' | 'budgets'>> {
    const teams = await this.#deps.teams.list(userId, projectId);
    return { teams: new Map(teams.map((team) => [team.id, team])), budgets: await this.#deps.budgets.ofAccount(userId) };
  }

  async #toTrigger(row: TriggerRow, shown: Shown): Promise<Trigger> {
    const [made] = await this.#toTriggers([row], shown);
    return made as Trigger;
  }

  /** Shows triggers of one project. It takes as many statements for one as for a hundred. */
  async #toTriggers(rows: readonly TriggerRow[], { teams, budgets, lasts }: Shown): Promise<Trigger[]> {
    const made = await this.#toFires(lasts);
    const lastFires = new Map(lasts.map(({ triggerId }, at) => [triggerId, made[at]]));
    const states = await this.#deps.forges.statesOf(rows);
    return rows.map((row) => {
      const team = row.teamId === null ? undefined : teams.get(row.teamId);
      return showTrigger(row, {
        team: team ? { id: team.id, slug: team.slug, title: team.title } : null,
        budget: budgets.get(row.keyId) ?? null,
        lastFire: lastFires.get(row.id) ?? null,
        address: kindOf(row).hook && `${this.#deps.address()}/hooks/${row.id}`,
        forge: states.get(row.id) ?? null,
      });
    });
  }

  async #toFires(rows: readonly ShownFire[], db = this.#deps.db): Promise<Fire[]> {
    const ids = rows.flatMap(({ executionId }) => executionId ?? []);
    const { rows: runs } =
      ids.length === 0
        ? { rows: [] }
        : await db.execute<{ id: string; status: string }>(
            sql`SELECT id, status FROM executions WHERE id = ANY(${sql.param(ids)}::uuid[])`,
          );
    const statuses = new Map(runs.map(({ id, status }) => [id, status]));
    return rows.map((row) => {
      const status = row.executionId === null ? undefined : statuses.get(row.executionId);
      return showFire(row, {
        about: row.source.about ?? null,
        again: row.source.again !== undefined,
        run: row.executionId !== null && status !== undefined ? { id: row.executionId, status } : null,
      });
    });
  }
}

/** A trigger is limited by the day, and its runs end with what there is. */
function ofDay(budget: z.output<typeof keyBudget>): z.output<typeof keyBudget> {
  return { ...budget, span: 'day', atLimit: 'stop' };
}
