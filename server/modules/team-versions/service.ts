import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import { markNameMaxLength } from '../../../contract/canvas-version.ts';
import {
  type TeamAgents,
  type TeamCheck,
  type TeamProblem,
  type TeamRestored,
  type TeamSettings,
  type TeamVersionItem,
  type TeamVersionPage,
  type TeamVersionRef,
  type TeamVersion as TeamVersionShown,
  teamVersion,
  teamVersionItem,
  type teamVersionQuery,
} from '../../../contract/team-version.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, isNotNull, isNull, lt, sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { lastOfEach } from '../../platform/database/unique-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';
import { ProjectRepository, type ProjectService } from '../projects/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import { ToolServerRepository } from '../tool-servers/index.ts';
import { checkTeam, type TeamNow } from './check-team.ts';
import { planRestoration, type Restoration } from './plan-restoration.ts';
import { teamVersions } from './tables.ts';
import { bytesOfTeam, lockTeam, selectTeamNow, storingTeam } from './team-sql.ts';

type TeamVersionDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  storage: Pick<AccountStorage, 'storing'>;
  projects: Pick<ProjectService, 'resolve' | 'announceUpdate'>;
  agents: Pick<AgentService, 'restore'>;
  /** The operator's connections by id. */
  operator: ReadonlyMap<string, { name: string }>;
};

export type TeamVersion = {
  id: string;
  projectId: string;
  number: number;
  canvasVersion: number;
  document: CanvasDocument;
  agents: TeamAgents;
  settings: TeamSettings;
};

type ReadVersion = Pick<typeof teamVersions.$inferSelect, 'projectId' | 'number' | 'name' | 'agents' | 'settings'>;

/** A version beside what there is now. `seen` names the problems and the changes. */
type Compared = { problems: TeamProblem[]; plan: Restoration; seen: string };

type Named = { name: string; note: string };

/** The most versions of a project that people have named. */
const maxNamed = 200;
/** Problems that the sentence of a refusal names; its `errors` have all of them. */
const shownProblems = 3;

const columns = { id: teamVersions.id, number: teamVersions.number, canvasVersion: teamVersions.canvasVersion, at: teamVersions.at };
const listed = {
  ...columns,
  name: teamVersions.name,
  note: teamVersions.note,
  author: sql<
    TeamVersionItem['author']
  >`(SELECT json_build_object('id', users.id, 'name', users.name) FROM users WHERE users.id = team_versions.created_by)`,
  runs: sql<number>`(SELECT count(*)::int FROM executions WHERE executions.team_version_id = team_versions.id)`,
};

/** The versions of teams: what a run works with, as it was. A foreign version is answered like a missing one. */
export class TeamVersions {
  readonly #deps: TeamVersionDeps;

  constructor(deps: TeamVersionDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the version of a project's team as it is now, in the caller's transaction. The same team costs no second row. `agentIds`: agents that are in it
   * without a card. Throws `not_found` for a project of another account.
   */
  async ensure(tx: Db, projectId: string, userId: OwnerId, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    const owned = await tx.execute(sql`SELECT FROM projects WHERE id = ${projectId} AND user_id = ${userId} FOR NO KEY UPDATE`);
    if (owned.rowCount === 0) throw new ApiError('not_found');
    const { newId, now } = this.#deps;
    const [row] = await runIn(tx)(storingTeam({ id: newId(), userId, projectId, agentIds, createdBy: userId, at: now() }));
    if (!row) throw new Error('The team has no version.');
    return { id: String(row.id), number: Number(row.number) };
  }

  /** The same in a transaction of its own. Throws `quota_reached` where the account has no room for a new version. */
  async ensureNow(projectId: string, userId: OwnerId, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    return this.storing({ projectId, userId, agentIds }, (tx) => this.ensure(tx, projectId, userId, agentIds));
  }

  /** Carries out a transaction that stores a version of a team, and `bytes` beside it. Throws `quota_reached` where the account has no room for them. */
  async storing<T>(
    { bytes = 0, ...team }: { projectId: string; userId: OwnerId; agentIds: readonly string[]; bytes?: number },
    work: (tx: Db) => Promise<T>,
  ): Promise<T> {
    const { db, storage } = this.#deps;
    const [size] = await runIn(db)(bytesOfTeam(team));
    return storage.storing({ userId: team.userId, bytes: Number(size?.bytes ?? 0) + bytes }, () => db.transaction(work));
  }

  /** Returns a version of a project that is known to be the user's; null for none. */
  async read(id: string): Promise<TeamVersion | null> {
    const [row] = await this.#deps.db.select().from(teamVersions).where(eq(teamVersions.id, id));
    return row ?? null;
  }

  /** Returns the versions of a project, newest first. */
  async list(userId: OwnerId, project: string, { before, limit, named }: z.output<typeof teamVersionQuery>): Promise<TeamVersionPage> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const { number, name } = teamVersions;
    const which = and(
      eq(teamVersions.projectId, projectId),
      before === undefined ? undefined : lt(number, before),
      named === 'true' ? isNotNull(name) : undefined,
    );
    const found = await this.#deps.db
      .select(listed)
      .from(teamVersions)
      .where(which)
      .orderBy(desc(number))
      .limit(limit + 1);
    const items = found.slice(0, limit).map((row) => showItem(row));
    return { items, next: found.length > limit ? (items.at(-1)?.number ?? null) : null };
  }

  /** Returns a version with its canvas, agents and settings. */
  async version(userId: OwnerId, project: string, ref: TeamVersionRef): Promise<TeamVersionShown> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const { document, agents, settings } = teamVersions;
    const [row] = await this.#deps.db
      .select({ ...listed, document, agents, settings })
      .from(teamVersions)
      .where(ofProject(projectId, ref));
    if (!row) throw new ApiError('not_found');
    return showVersion(row);
  }

  /** Stores the team as it is now under a name. A team that has a version keeps it, with this name. Throws `conflict` for too many names. */
  async create(
    userId: OwnerId,
    project: string,
    named: Named,
    language: Language,
    keep: StoreIdempotentResponse,
  ): Promise<TeamVersionItem> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    return this.storing({ projectId, userId, agentIds: [] }, async (tx) => {
      const { id } = await this.ensure(tx, projectId, userId);
      if ((await this.#countNamed(tx, projectId)) >= maxNamed) {
        const message = translate(language, 'field.too_many_team_versions', { limit: maxNamed });
        throw new ApiError('conflict', { sentence: message, errors: [{ path: 'name', message }] });
      }
      await tx.update(teamVersions).set(named).where(eq(teamVersions.id, id));
      const [row] = await tx.select(listed).from(teamVersions).where(eq(teamVersions.id, id));
      const item = showItem(row as NonNullable<typeof row>);
      await keep(tx, item);
      return item;
    });
  }

  /** Returns what of a version is gone or is another one by now, and what its restoration would change of agents and settings. */
  async check(userId: OwnerId, project: string, ref: TeamVersionRef): Promise<TeamCheck> {
    const version = await this.#found(userId, project, ref);
    return this.#compared(userId, version).then(({ problems, plan, seen }) => ({ problems, changes: plan.changes, seen }));
  }

  /** Throws `team_changed`, with what is gone or changed, where a run from the version would not be what the version says. */
  async assertWhole(userId: OwnerId, id: string, language: Language): Promise<void> {
    const version = orNotFound(await this.read(id));
    const problems = checkTeam(version.agents, await this.#now(userId, version));
    if (problems.length === 0) return;
    const sentences = problems.map((problem) => sentenceOf(problem, language));
    throw new ApiError('team_changed', {
      sentence: [...sentences.slice(0, shownProblems), translate(language, 'team_changed')].join(' '),
      errors: sentences.map((message) => ({ path: 'teamVersionId', message })),
      details: { problems },
    });
  }

  /**
   * Gives agents and settings what they have in a version, as the check with this `seen` says. The team as it was has a version before, with a name while
   * there is room for one. Throws `team_changed` where something is another one than was seen: then nothing changes.
   */
  async restore(
    { userId, clientId }: { userId: OwnerId; clientId: string | null },
    { project, ref, seen }: { project: string; ref: TeamVersionRef; seen: string },
    language: Language,
    keep: StoreIdempotentResponse,
  ): Promise<TeamRestored> {
    const version = await this.#found(userId, project, ref);
    const { projectId } = version;
    const agentIds = Object.keys(version.agents);
    const bytes = Buffer.byteLength(JSON.stringify([version.agents, version.settings]));
    const { restored, hasSettings } = await this.storing({ projectId, userId, agentIds, bytes }, async (tx) => {
      const before = await this.ensure(tx, projectId, userId, agentIds);
      await lockTeam(tx, { userId, projectId, agentIds });
      const { plan, seen: isNow } = await this.#compared(userId, version, tx);
      if (isNow !== seen) throw new ApiError('team_changed', { sentence: translate(language, 'team.seenBefore') });
      const changes = plan.changes.length;
      if (changes > 0) {
        const name = translate(language, 'team.beforeRestoring', { name: version.name ?? String(version.number) });
        await this.#nameBefore(tx, { id: before.id, projectId, name });
        await this.#carryOut(tx, { userId, projectId }, plan);
      }
      const after = changes > 0 ? await this.#compared(userId, await this.#read(tx, before.id), tx) : null;
      const restored = { changes, before: after && { number: before.number, seen: after.seen } };
      await keep(tx, restored);
      return { restored, hasSettings: Object.keys(plan.settings).length > 0 };
    });
    if (hasSettings) this.#deps.projects.announceUpdate({ userId, clientId }, projectId);
    return restored;
  }

  async #carryOut(tx: Db, { userId, projectId }: { userId: OwnerId; projectId: string }, plan: Restoration): Promise<void> {
    await this.#deps.agents.restore(tx, userId, plan);
    const tools = new ToolServerRepository(tx);
    for (const { agentId, toolIds } of plan.ticked)
      await tools.setAgentTools(
        projectId,
        agentId,
        lastOfEach(toolIds, (id) => id),
      );
    for (const [id, policy] of plan.policies) await tools.updateTool(projectId, id, { policy });
    if (Object.keys(plan.settings).length > 0) await new ProjectRepository(tx).update(userId, projectId, plan.settings);
  }

  /** A version that has a name keeps it. */
  async #nameBefore(tx: Db, { id, projectId, name }: { id: string; projectId: string; name: string }): Promise<void> {
    if ((await this.#countNamed(tx, projectId)) >= maxNamed) return;
    await tx
      .update(teamVersions)
      .set({ name: name.slice(0, markNameMaxLength) })
      .where(and(eq(teamVersions.id, id), isNull(teamVersions.name)));
  }

  async #countNamed(tx: Db, projectId: string): Promise<number> {
    return tx.$count(teamVersions, and(eq(teamVersions.projectId, projectId), isNotNull(teamVersions.name)));
  }

  async #compared(userId: OwnerId, version: ReadVersion, db = this.#deps.db): Promise<Compared> {
    const now = await this.#now(userId, version, db);
    const problems = checkTeam(version.agents, now);
    const plan = planRestoration(version, now);
    const seen = createHash('sha256')
      .update(JSON.stringify([problems, plan.changes]))
      .digest('base64url');
    return { problems, plan, seen };
  }

  async #found(userId: OwnerId, project: string, ref: TeamVersionRef): Promise<ReadVersion> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const [version] = await this.#deps.db.select().from(teamVersions).where(ofProject(projectId, ref));
    return orNotFound(version);
  }

  async #read(tx: Db, id: string): Promise<ReadVersion> {
    const [version] = await tx.select().from(teamVersions).where(eq(teamVersions.id, id));
    if (!version) throw new Error('The version has gone under the lock of its project.');
    return version;
  }

  async #now(userId: OwnerId, { projectId, agents }: Pick<TeamVersion, 'projectId' | 'agents'>, db = this.#deps.db): Promise<TeamNow> {
    const { operator } = this.#deps;
    const [row] = await runIn(db)(selectTeamNow({ userId, projectId, agentIds: Object.keys(agents) }));
    return { ...(row?.now as Omit<TeamNow, 'operatorName'>), operatorName: (id) => operator.get(id)?.name ?? null };
  }
}

const showItem = viewOf(teamVersionItem);
const showVersion = viewOf(teamVersion);

function ofProject(projectId: string, ref: TeamVersionRef) {
  return and(eq(teamVersions.projectId, projectId), typeof ref === 'number' ? eq(teamVersions.number, ref) : eq(teamVersions.id, ref));
}

function sentenceOf({ code, agent, name }: TeamProblem, language: Language): string {
  return translate(language, `team.${code}`, { agent, name });
}
