import type { z } from 'zod';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import {
  type TeamAgents,
  type TeamCheck,
  type TeamProblem,
  type TeamSettings,
  type TeamVersionItem,
  type TeamVersionPage,
  type TeamVersionRef,
  type TeamVersion as TeamVersionShown,
  teamVersion,
  teamVersionItem,
  type teamVersionQuery,
} from '../../../contract/team-version.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, count, desc, eq, isNotNull, lt, sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import { checkTeam, type TeamNow } from './check-team.ts';
import { teamVersions } from './tables.ts';
import { bytesOfTeam, selectTeamNow, storingTeam } from './team-sql.ts';

type TeamVersionDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  storage: Pick<AccountStorage, 'storing'>;
  projects: Pick<ProjectService, 'resolve'>;
  agents: Pick<AgentService, 'setPrompts'>;
  /** The operator's connections by id. */
  operator: ReadonlyMap<string, unknown>;
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

type Named = { name: string; note: string };

/** The most versions of a project that people have named. */
const maxNamed = 200;

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
  async ensure(tx: Db, projectId: string, userId: string, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    const owned = await tx.execute(sql`SELECT FROM projects WHERE id = ${projectId} AND user_id = ${userId} FOR NO KEY UPDATE`);
    if (owned.rowCount === 0) throw new ApiError('not_found');
    const { newId, now } = this.#deps;
    const [row] = await runIn(tx)(storingTeam({ id: newId(), userId, projectId, agentIds, createdBy: userId, at: now() }));
    if (!row) throw new Error('The team has no version.');
    return { id: String(row.id), number: Number(row.number) };
  }

  /** The same in a transaction of its own. Throws `quota_reached` where the account has no room for a new version. */
  async ensureNow(projectId: string, userId: string, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    return this.#storing({ projectId, userId, agentIds }, (tx) => this.ensure(tx, projectId, userId, agentIds));
  }

  /** Returns a version of a project that is known to be the user's; null for none. */
  async read(id: string): Promise<TeamVersion | null> {
    const [row] = await this.#deps.db.select().from(teamVersions).where(eq(teamVersions.id, id));
    return row ?? null;
  }

  /** Returns the versions of a project, newest first. */
  async list(userId: string, project: string, { before, limit, named }: z.output<typeof teamVersionQuery>): Promise<TeamVersionPage> {
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
  async version(userId: string, project: string, ref: TeamVersionRef): Promise<TeamVersionShown> {
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
  async create(userId: string, project: string, named: Named, language: Language, keep: StoreIdempotentResponse): Promise<TeamVersionItem> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    return this.#storing({ projectId, userId, agentIds: [] }, async (tx) => {
      const { id } = await this.ensure(tx, projectId, userId);
      const [names] = await tx
        .select({ total: count() })
        .from(teamVersions)
        .where(and(eq(teamVersions.projectId, projectId), isNotNull(teamVersions.name)));
      if ((names?.total ?? 0) >= maxNamed) {
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

  /** Returns what of a version is gone or changed, and the prompts that are others now. */
  async check(userId: string, project: string, ref: TeamVersionRef): Promise<TeamCheck> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const [version] = await this.#deps.db.select().from(teamVersions).where(ofProject(projectId, ref));
    if (!version) throw new ApiError('not_found');
    const now = await this.#now(userId, version);
    const prompts = Object.entries(version.agents).flatMap(([agentId, then]) => {
      const agent = now.agents[agentId];
      if (!agent || agent.systemPrompt === then.systemPrompt) return [];
      return [{ agentId, title: agent.title, now: agent.systemPrompt, inVersion: then.systemPrompt }];
    });
    return { problems: checkTeam(version.agents, now), prompts };
  }

  /** Throws `team_changed`, with what is gone or changed, where a run from the version would not be what the version says. */
  async assertWhole(userId: string, id: string, language: Language): Promise<void> {
    const version = await this.read(id);
    if (!version) throw new ApiError('not_found');
    const problems = checkTeam(version.agents, await this.#now(userId, version));
    if (problems.length === 0) return;
    throw new ApiError('team_changed', {
      errors: problems.map((problem) => ({ path: 'teamVersionId', message: sentenceOf(problem, language) })),
      details: { problems },
    });
  }

  /** Gives agents the prompts that they have in a version. Those that are gone, or have them, stay as they are. Returns which ones have changed. */
  async restorePrompts(userId: string, project: string, ref: TeamVersionRef, agentIds: readonly string[]): Promise<{ agentIds: string[] }> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const [version] = await this.#deps.db.select().from(teamVersions).where(ofProject(projectId, ref));
    if (!version || agentIds.some((id) => !version.agents[id])) throw new ApiError('not_found');
    const prompts = new Map(agentIds.map((id) => [id, version.agents[id]?.systemPrompt ?? '']));
    return { agentIds: await this.#deps.agents.setPrompts(userId, prompts) };
  }

  async #storing<T>(team: { projectId: string; userId: string; agentIds: readonly string[] }, work: (tx: Db) => Promise<T>): Promise<T> {
    const { db, storage } = this.#deps;
    const [size] = await runIn(db)(bytesOfTeam(team));
    return storage.storing({ userId: team.userId, bytes: Number(size?.bytes ?? 0) }, () => db.transaction(work));
  }

  async #now(userId: string, { projectId, agents }: Pick<TeamVersion, 'projectId' | 'agents'>): Promise<TeamNow> {
    const { db, operator } = this.#deps;
    const [row] = await runIn(db)(selectTeamNow({ userId, projectId, agentIds: Object.keys(agents) }));
    return { ...(row?.now as Omit<TeamNow, 'isOfOperator'>), isOfOperator: (id) => operator.has(id) };
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
