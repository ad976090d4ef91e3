import type { z } from 'zod';
import type { Cost } from '../../../contract/cost.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import {
  maxReleasedTeams,
  type nextRelease,
  type Release,
  type ReleasedTeam,
  type ReleasedTeamDetails,
  releasedTeam,
  type releasedTeamChange,
  shownCalls,
  shownReleases,
  type TeamCall,
  type teamRelease,
} from '../../../contract/released-team.ts';
import { addCosts, meanCost } from '../../../rules/cost/cost-of.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, Member, StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, inArray, lte, sql } from '../../platform/database/drizzle.ts';
import { ownedRows } from '../../platform/database/owned-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { refuseCurrency } from '../budgets/index.ts';
import { copyForRelease, type Pipelines } from '../pipelines/index.ts';
import { type ProjectService, projects } from '../projects/index.ts';
import { type TeamVersions, teamVersions } from '../team-versions/index.ts';
import { type ReleasedTeamRow, releasedTeams, teamReleases, teamRuns } from './tables.ts';

type ReleasedTeamsDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  projects: Pick<ProjectService, 'resolve'>;
  pipelines: Pick<Pipelines, 'get'>;
  versions: Pick<TeamVersions, 'ensure' | 'storing'>;
  /** The currencies of the server's prices: limits of money have one of them. */
  currencies: readonly string[];
  /** The server's address for its users, without a trailing slash. */
  address: () => string;
};

/** The release that runs: the newest row of a team. */
export type LiveRelease = { number: number; teamVersionId: string; pipelineId: string };

/** The runs whose costs are shown beside an interval. */
const forecastRuns = 10;

const ownTeams = ownedRows(releasedTeams, { owner: releasedTeams.runAs, order: [asc(releasedTeams.slug)], turn: 'released-teams' });
const showTeam = viewOf(releasedTeam);

/** The released teams of an account. A foreign team is answered like a missing one. */
export class ReleasedTeams {
  readonly #deps: ReleasedTeamsDeps;

  constructor(deps: ReleasedTeamsDeps) {
    this.#deps = deps;
  }

  async list(userId: OwnerId, project: string): Promise<ReleasedTeam[]> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    return this.#shown(and(eq(releasedTeams.projectId, projectId), eq(releasedTeams.runAs, userId)));
  }

  async get(userId: OwnerId, project: string, id: string): Promise<ReleasedTeamDetails> {
    const team = await this.#one(userId, project, id);
    const releases = await this.#releases(id);
    const { rows: calls } =
      await this.#deps.db.execute(sql`SELECT run.execution_id AS "runId", run.release, run.called_by AS by, run.called_at AS at,
        executions.status, executions.called_from AS "from" FROM ${teamRuns} AS run JOIN executions ON executions.id = run.execution_id
      WHERE run.team_id = ${id} ORDER BY run.called_at DESC LIMIT ${shownCalls}`);
    const shownCall = (call: Record<string, unknown>) => ({ ...call, at: new Date(String(call.at)).toISOString() }) as TeamCall;
    const costs = await this.lastCosts(id);
    return { ...team, releases, calls: calls.map(shownCall), costOfRun: costs.length === 0 ? null : meanCost(costs) };
  }

  /**
   * Releases the present team under a new name. Throws `slug_taken`, `too_many_teams`, `quota_reached`, `bad_request` for limits in a currency
   * without prices, and `canvas_stale` where the canvas is not the one that the pipeline was made from.
   */
  async release(
    user: Member,
    project: string,
    { pipelineId, canvasVersion, ...settings }: z.output<typeof teamRelease>,
    language: Language,
    keep: StoreIdempotentResponse,
  ): Promise<ReleasedTeam> {
    this.#checkLimits(settings.budget, language);
    const { newId, now } = this.#deps;
    const projectId = await this.#deps.projects.resolve(user.ownerId, project);
    const pipeline = await this.#pipelineOf(user.ownerId, projectId, pipelineId);
    const id = newId();
    return this.#storingPresent(settings.slug, user.ownerId, pipeline, async (tx) => {
      const held = await ownTeams.countAlone(tx, user.ownerId);
      if (held >= maxReleasedTeams) throw new ApiError('too_many_teams', { params: { count: maxReleasedTeams } });
      const at = now();
      await tx.insert(releasedTeams).values({ id, projectId, runAs: user.ownerId, ...settings, createdAt: at, updatedAt: at });
      await this.#addPresent(tx, user, { id, pipeline, canvasVersion });
      const team = await this.#stored(tx, id);
      await keep(tx, team);
      return team;
    });
  }

  /** Releases the present team, or an earlier release again: the next call runs it. */
  async releaseNext(
    user: Member,
    project: string,
    id: string,
    next: z.output<typeof nextRelease>,
    keep: StoreIdempotentResponse,
  ): Promise<ReleasedTeam> {
    const { projectId } = await this.#one(user.ownerId, project, id);
    const pipeline = next.pipelineId === undefined ? null : await this.#pipelineOf(user.ownerId, projectId, next.pipelineId);
    const add = async (tx: Db) => {
      orNotFound(await ownTeams.lock(tx, user.ownerId, id));
      if (pipeline !== null) await this.#addPresent(tx, user, { id, pipeline, canvasVersion: next.canvasVersion });
      else {
        const [again] = await tx
          .select()
          .from(teamReleases)
          .where(and(eq(teamReleases.teamId, id), eq(teamReleases.number, next.release ?? 0)));
        await this.#add(tx, user, { ...orNotFound(again), teamId: id });
      }
      const team = await this.#stored(tx, id);
      await keep(tx, team);
      return team;
    };
    return pipeline === null ? this.#deps.db.transaction(add) : this.#storingPresent('', user.ownerId, pipeline, add);
  }

  /** Changes the form, the task, the limits or the name. What runs stays the same. Throws `slug_taken`, and `bad_request` for limits as `release` does. */
  async change(
    userId: OwnerId,
    project: string,
    id: string,
    change: z.output<typeof releasedTeamChange>,
    language: Language,
  ): Promise<ReleasedTeam> {
    this.#checkLimits(change.budget, language);
    await this.#one(userId, project, id);
    const changing = this.#deps.db.transaction(async (tx) => {
      orNotFound(await ownTeams.update(tx, userId, id, { ...change, updatedAt: this.#deps.now() }));
      return this.#stored(tx, id);
    });
    return refusingTaken(change.slug ?? '', changing);
  }

  /** Withdraws a team: the next call gets 404. Its runs go on. */
  async withdraw(userId: OwnerId, project: string, id: string): Promise<void> {
    await this.#one(userId, project, id);
    await ownTeams.remove(this.#deps.db, userId, id);
  }

  /** Returns a team of the account by its name, with what runs. `projectId`: the only project whose teams the caller reaches. */
  async bySlug(userId: OwnerId, slug: string, projectId: string | null = null): Promise<{ team: ReleasedTeamRow; live: LiveRelease }> {
    const [team] = await this.#deps.db
      .select()
      .from(releasedTeams)
      .where(and(eq(releasedTeams.slug, slug), eq(releasedTeams.runAs, userId)));
    if (!team || (projectId ?? team.projectId) !== team.projectId) throw unknownTeam(slug);
    const { number, teamVersionId, pipelineId } = teamReleases;
    const [live] = await this.#deps.db
      .select({ number, teamVersionId, pipelineId })
      .from(teamReleases)
      .where(eq(teamReleases.teamId, team.id))
      .orderBy(desc(number))
      .limit(1);
    if (!live) throw new Error('A released team has no release.');
    return { team, live };
  }

  /** Returns the teams of an account, or of one of its projects, by name. */
  async callable(userId: OwnerId, projectId: string | null): Promise<ReleasedTeam[]> {
    return this.#shown(and(eq(releasedTeams.runAs, userId), projectId === null ? undefined : eq(releasedTeams.projectId, projectId)));
  }

  /** Returns what a trigger needs of a team; null for one that is gone. */
  async byId(id: string): Promise<Pick<ReleasedTeamRow, 'slug' | 'input'> | null> {
    const [team] = await this.#deps.db
      .select({ slug: releasedTeams.slug, input: releasedTeams.input })
      .from(releasedTeams)
      .where(eq(releasedTeams.id, id));
    return team ?? null;
  }

  /** Returns what the last ten completed runs of a team have cost, each. */
  async lastCosts(id: string): Promise<Cost[]> {
    const { rows } = await this.#deps.db.execute<{ costs: (Cost | null)[] }>(sql`
      WITH recent AS MATERIALIZED (SELECT executions.id FROM ${teamRuns} AS run JOIN executions ON executions.id = run.execution_id
        WHERE run.team_id = ${id}::uuid AND executions.status = 'completed' ORDER BY run.called_at DESC LIMIT ${forecastRuns})
      SELECT json_agg(step.cost) AS costs FROM recent JOIN execution_steps step ON step.execution_id = recent.id GROUP BY recent.id`);
    return rows.map(({ costs }) => addCosts(costs));
  }

  addressOf(slug: string): string {
    return `${this.#deps.address()}/api/team/${slug}`;
  }

  #checkLimits(budget: ReleasedTeam['budget'] | undefined, language: Language): void {
    if (budget) refuseCurrency(this.#deps.currencies, budget, 'budget.money.currency', language);
  }

  async #shown(where: ReturnType<typeof and>, db = this.#deps.db): Promise<ReleasedTeam[]> {
    const rows = await db.select().from(releasedTeams).where(where).orderBy(releasedTeams.slug).limit(maxReleasedTeams);
    const live = await this.#live(
      rows.map(({ id }) => id),
      db,
    );
    return rows.flatMap((row) => {
      const release = live.get(row.id);
      return release ? [showTeam(row, { live: release, address: this.addressOf(row.slug) })] : [];
    });
  }

  async #one(userId: OwnerId, project: string, id: string): Promise<ReleasedTeam> {
    const projectId = await this.#deps.projects.resolve(userId, project);
    const [team] = await this.#shown(
      and(eq(releasedTeams.id, id), eq(releasedTeams.projectId, projectId), eq(releasedTeams.runAs, userId)),
    );
    return orNotFound(team);
  }

  async #stored(tx: Db, id: string): Promise<ReleasedTeam> {
    const [team] = await this.#shown(eq(releasedTeams.id, id), tx);
    if (!team) throw new Error('The released team has gone under its lock.');
    return team;
  }

  /** The newest first. */
  async #releases(teamId: string, limit = shownReleases, db = this.#deps.db): Promise<Release[]> {
    const rows = await db
      .select(shownRelease)
      .from(teamReleases)
      .innerJoin(teamVersions, eq(teamVersions.id, teamReleases.teamVersionId))
      .where(eq(teamReleases.teamId, teamId))
      .orderBy(desc(teamReleases.number))
      .limit(limit);
    return rows.map(toRelease);
  }

  /** Returns the newest release of each of these teams, in one statement. */
  async #live(teamIds: readonly string[], db: Db): Promise<Map<string, Release>> {
    const { teamId, number } = teamReleases;
    const rows = await db
      .selectDistinctOn([teamId], { teamId, ...shownRelease })
      .from(teamReleases)
      .innerJoin(teamVersions, eq(teamVersions.id, teamReleases.teamVersionId))
      .where(inArray(teamId, [...teamIds]))
      .orderBy(teamId, desc(number));
    return new Map(rows.map(({ teamId: id, ...row }) => [id, toRelease(row)]));
  }

  async #pipelineOf(userId: OwnerId, projectId: string, pipelineId: string): Promise<Pipeline> {
    const pipeline = await this.#deps.pipelines.get(userId, pipelineId);
    if (pipeline.projectId !== projectId) throw new ApiError('not_found');
    return pipeline;
  }

  async #addPresent(
    tx: Db,
    user: Member,
    { id, pipeline, canvasVersion }: { id: string; pipeline: Pipeline; canvasVersion: number | undefined },
  ): Promise<void> {
    const { projectId } = pipeline;
    const version = await this.#deps.versions.ensure(tx, projectId, user.ownerId, agentsOf(pipeline));
    // Under the lock of the project, which the version has taken.
    const [canvas] = await tx.select({ version: projects.canvasVersion }).from(projects).where(eq(projects.id, projectId));
    if (canvasVersion !== undefined && canvas?.version !== canvasVersion) throw new ApiError('canvas_stale');
    const pipelineId = await copyForRelease(tx, { ...pipeline, userId: user.ownerId }, this.#deps.newId);
    await this.#add(tx, user, { teamId: id, pipelineId, teamVersionId: version.id });
  }

  async #add(tx: Db, user: Member, { teamId, pipelineId, teamVersionId }: NewRelease): Promise<void> {
    const [newest] = await this.#releases(teamId, 1, tx);
    const number = (newest?.number ?? 0) + 1;
    await tx
      .insert(teamReleases)
      .values({ teamId, number, pipelineId, teamVersionId, releasedBy: user.name, releasedAt: this.#deps.now() });
    await tx.delete(teamReleases).where(and(eq(teamReleases.teamId, teamId), lte(teamReleases.number, number - shownReleases)));
  }

  /** Stores a release of the present team, within the account's limit. */
  #storingPresent(slug: string, userId: OwnerId, pipeline: Pipeline, work: (tx: Db) => Promise<ReleasedTeam>): Promise<ReleasedTeam> {
    const { projectId } = pipeline;
    const bytes = Buffer.byteLength(JSON.stringify(pipeline));
    return refusingTaken(slug, this.#deps.versions.storing({ projectId, userId, agentIds: agentsOf(pipeline), bytes }, work));
  }
}

const shownRelease = {
  number: teamReleases.number,
  teamVersionId: teamReleases.teamVersionId,
  version: teamVersions.number,
  canvasVersion: teamVersions.canvasVersion,
  releasedBy: teamReleases.releasedBy,
  releasedAt: teamReleases.releasedAt,
};

function toRelease({ releasedAt, ...row }: Omit<Release, 'releasedAt'> & { releasedAt: Date }): Release {
  return { ...row, releasedAt: releasedAt.toISOString() };
}

type NewRelease = Pick<typeof teamReleases.$inferInsert, 'teamId' | 'pipelineId' | 'teamVersionId'>;

/** The refusal of a name that no team of the account has. */
export function unknownTeam(slug: string): ApiError {
  return new ApiError('not_found', { params: { slug }, details: { reason: 'unknown', slug } });
}

function agentsOf({ steps }: Pipeline): string[] {
  return [...new Set(steps.map(({ agentId }) => agentId))];
}

/** Throws `slug_taken` where a name was taken. */
function refusingTaken<T>(slug: string, stored: Promise<T>): Promise<T> {
  return stored.catch((error: Error & { cause?: { code?: string } }) => {
    if (error?.cause?.code === '23505') throw new ApiError('slug_taken', { params: { slug }, details: { slug } });
    throw error;
  });
}
