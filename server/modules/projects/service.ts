import { v7 } from 'uuid';
import type { PromptChange } from '../../../contract/agent-change.ts';
import type { Canvas, CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';
import { parallelByBranches, parallelSteps as stepsTogether } from '../../../contract/executions/parallel-steps.ts';
import { type Project, type ProjectStatistics, project } from '../../../contract/project.ts';
import type { InstallPolicy } from '../../../contract/runner.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { Db } from '../../platform/database/database.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { countReached } from '../storage/index.ts';
import { type ProjectChange, ProjectRepository, type ProjectRow, type ProjectStatus, selectProjectId } from './repository.ts';
import { withValidLinks } from './valid-links.ts';
import { type NamedRecords, recordsOfDocument, recordsOfPatches } from './versions/named-records.ts';
import { storeSnapshot } from './versions/snapshots.ts';
import { stateNow } from './versions/state-at.ts';
import { writeChange } from './versions/write-change.ts';

/** A change of a project, for the owner's other tabs and devices. */
type ProjectNews = { projectId: string; change: 'made' | 'updated' | 'removed'; origin: string | null };

type CanvasUpdate = { projectId: string; version: number; origin: string | null };

type ProjectDependencies = {
  db: Db;
  /** For transactions that only read. */
  reads: Db;
  /** Notifies the owner's other tabs and devices that a canvas has a newer version. */
  announce: (userId: OwnerId, update: CanvasUpdate) => void;
  announceChange: (userId: OwnerId, news: ProjectNews) => void;
  /** The most bytes of a project's versions. */
  maxVersionsBytes: number;
  /** The most projects of one account. */
  maxProjects: number;
  /** Removes the oldest versions of a project, apart from the save. Never throws. */
  trimVersions: (projectId: string) => Promise<void>;
};

/** The functions of executions that a project needs. */
export type RunsOfProject = {
  /** Returns the status of one unfinished execution of the project, or null. */
  unfinishedStatus: (db: Db, projectId: string) => Promise<string | null>;
  count: (projectId: string) => Promise<RunCounts>;
};
type RunCounts = Omit<ProjectStatistics, 'totalAgents' | 'activeAgents' | 'lastActivity'> & { lastActivity: Date | null };

/** The functions of modules with work in a project that the project needs. */
export type WorkOfProject = {
  runs: RunsOfProject;
  /** Returns when a command of the project last changed, or null. */
  lastCommandAt: (projectId: string) => Promise<Date | null>;
  /** Counts how many of these agents the user has, and how many of them can work. */
  countAgents: (userId: OwnerId, ids: readonly string[]) => Promise<{ total: number; active: number }>;
  /** Returns the changes of the prompts on a canvas, newest first. */
  promptChanges: (projectId: string, page: { limit: number; offset: number }) => Promise<{ items: PromptChange[]; total: number }>;
};

/** The author of a change: the account, and the tab. */
type Owner = { userId: OwnerId; clientId: string | null };

/** The author of a write, with the function that stores its idempotent response in the same transaction. */
type Writer = Owner & { storeIdempotentResponse: StoreIdempotentResponse };

/** Of a new project. */
const asNew = { status: 'active', canvasVersion: 1, parallelSteps: parallelByBranches } as const;

/** The largest canvas in the refusal of a stale save (bytes of JSON). */
const maxStaleBytes = 256 * 1024;
/** From so many times the limit of bytes on a save waits until the versions are trimmed, so that no stream of saves outruns it. */
const waitFromShare = 2;
/** Reading the largest canvas takes some 150 MB of memory. */
const canvasReadLimits = { atOnce: 4, atOncePerAccount: 2, maxWaiting: 1_000, maxPerAccount: 64 };

/** Projects with their versioned canvases. A foreign project is answered like a missing one. */
export class ProjectService {
  private readonly deps: ProjectDependencies;
  private readonly canvasReads = new AdmissionQueue(canvasReadLimits);

  constructor(deps: ProjectDependencies) {
    this.deps = deps;
  }

  async list(
    userId: OwnerId,
    page: { limit: number; offset: number },
    status: ProjectStatus | null = null,
  ): Promise<{ items: Project[]; total: number }> {
    const { items, total } = await new ProjectRepository(this.deps.db).list(userId, status, page);
    return { items: items.map(projectOf), total };
  }

  /** Returns a project by id, or the user's first one for `default`. Throws `not_found`. */
  async get(userId: OwnerId, id: string): Promise<Project> {
    return projectOf(await this.find(userId, id));
  }

  /** Returns the id of a project, also for `default`. Throws `not_found`. */
  async resolve(userId: OwnerId, id: string): Promise<string> {
    const [found] = await runIn(this.deps.db)(writeStatement((place) => selectProjectId(userId, id, place)));
    if (!found) throw new ApiError('not_found');
    return String(found.id);
  }

  /** Returns the account that a project belongs to; null for a project that was removed. */
  ownerOf(id: string): Promise<string | null> {
    return new ProjectRepository(this.deps.db).ownerOf(id);
  }

  /** Returns the test command of a project that is known to be the user's, or of a version of its team; null for none. */
  testCommand(id: string, teamVersionId: string | null = null): Promise<string | null> {
    return new ProjectRepository(this.deps.db).testCommand(id, teamVersionId);
  }

  /** The same for what a runner installs before it. */
  installPolicy(id: string, teamVersionId: string | null): Promise<InstallPolicy> {
    return new ProjectRepository(this.deps.db).installPolicy(id, teamVersionId);
  }

  /** The same for the hosts of its own whose pages agents may read. */
  fetchHosts(id: string, teamVersionId: string | null = null): Promise<string[]> {
    return new ProjectRepository(this.deps.db).fetchHosts(id, teamVersionId);
  }

  async canvas(userId: OwnerId, id: string): Promise<Canvas> {
    const projectId = await this.resolve(userId, id);
    return this.canvasReads.run(userId, () =>
      this.deps.reads.transaction((tx) => this.readCanvas(tx, userId, projectId), {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      }),
    );
  }

  /** Throws `canvas_stale` unless the canvas of a project that is known to be the user's has this version. */
  async assertCanvasVersion(id: string, version: number): Promise<void> {
    if ((await new ProjectRepository(this.deps.db).canvasVersion(id)) !== version) throw new ApiError('canvas_stale');
  }

  /** Applies whole-record patches to the version they were made on. Throws `canvas_stale`, with the current canvas unless it is large. */
  async patchCanvas(writer: Writer, id: string, baseVersion: number, patches: readonly CanvasPatch[]): Promise<{ version: number }> {
    return this.write(writer, id, baseVersion, await recordsOfPatches(patches));
  }

  /** Replaces the document of the version that the writer has read. Throws `canvas_stale`, with the current canvas unless it is large. */
  async putCanvas(writer: Writer, id: string, baseVersion: number, document: CanvasDocument): Promise<{ version: number }> {
    return this.write(writer, id, baseVersion, await recordsOfDocument(document));
  }

  /** Creates a project with a first canvas, in the caller's transaction. */
  async create(db: Db, userId: OwnerId, given: { name: string; description: string }, document: CanvasDocument): Promise<string> {
    const id = v7();
    const repository = new ProjectRepository(db);
    await repository.add({ id, userId, ...given, ...asNew });
    const written = { projectId: id, version: 1, author: userId, clientId: null, addedBytes: 0 };
    await writeChange(db, written, await recordsOfDocument(document));
    return id;
  }

  /** Creates a project with an empty canvas. */
  async add({ userId, clientId, storeIdempotentResponse }: Writer, given: { name: string; description: string }): Promise<Project> {
    const added = await this.deps.db.transaction(async (tx) => {
      const repository = new ProjectRepository(tx);
      const { maxProjects } = this.deps;
      if ((await repository.countBelow(userId, maxProjects)) >= maxProjects) throw countReached('projects', maxProjects);
      const row = await repository.add({ id: v7(), userId, ...given, ...asNew });
      const project = projectOf(row);
      await storeIdempotentResponse(tx, project);
      return project;
    });
    this.deps.announceChange(userId, { projectId: added.id, change: 'made', origin: clientId });
    return added;
  }

  /** Throws `not_found`. */
  async update({ userId, clientId }: Owner, id: string, change: ProjectChange): Promise<Project> {
    const { id: projectId } = await this.find(userId, id);
    const row = orNotFound(await new ProjectRepository(this.deps.db).update(userId, projectId, change));
    this.announceUpdate({ userId, clientId }, projectId);
    return projectOf(row);
  }

  /** Tells the owner's other tabs and devices that the settings of a project have changed. */
  announceUpdate({ userId, clientId }: Owner, projectId: string): void {
    this.deps.announceChange(userId, { projectId, change: 'updated', origin: clientId });
  }

  /**
   * Removes a project with its contents. Throws `not_found`, `illegal_state` while one of its executions is unfinished,
   * and `conflict` for the only project: every user has at least one.
   */
  async remove({ userId, clientId }: Owner, id: string, language: Language, runs: Pick<RunsOfProject, 'unfinishedStatus'>): Promise<void> {
    await this.deps.db.transaction(async (tx) => {
      const repository = new ProjectRepository(tx);
      const own = await repository.lockAll(userId);
      if (!own.includes(id)) throw new ApiError('not_found');
      const status = await runs.unfinishedStatus(tx, id);
      if (status !== null) throw new ApiError('illegal_state', { details: { status } });
      if (own.length === 1)
        throw new ApiError('conflict', { errors: [{ path: 'id', message: translate(language, 'field.last_project') }] });
      await repository.remove(userId, id);
    });
    this.deps.announceChange(userId, { projectId: id, change: 'removed', origin: clientId });
  }

  /** Returns the statistics. The last activity is the newest change of the project, of a run or of a command in it. Throws `not_found`. */
  async statistics(userId: OwnerId, id: string, { runs, lastCommandAt, countAgents }: WorkOfProject): Promise<ProjectStatistics> {
    const project = await this.find(userId, id);
    const onCanvas = await new ProjectRepository(this.deps.db).agentsOnCanvas(project.id);
    const [agents, counts, commandAt] = await Promise.all([
      countAgents(userId, onCanvas),
      runs.count(project.id),
      lastCommandAt(project.id),
    ]);
    const moments = [project.updatedAt, counts.lastActivity, commandAt].map((moment) => moment?.getTime() ?? 0);
    const lastActivity = new Date(Math.max(...moments)).toISOString();
    return { totalAgents: agents.total, activeAgents: agents.active, ...counts, lastActivity };
  }

  private async write(writer: Writer, id: string, baseVersion: number, records: NamedRecords): Promise<{ version: number }> {
    const { maxVersionsBytes, trimVersions } = this.deps;
    const { projectId, version, versionsBytes } = await this.deps.db.transaction(async (tx) => {
      const repository = new ProjectRepository(tx);
      const canvas = orNotFound(await repository.lockCanvas(writer.userId, id));
      const { id: projectId, version: current } = canvas;
      if (current !== baseVersion) {
        // A large canvas is read by a call of its own: thousands of refusals may lie unread.
        const isSmall = (await repository.canvasBytes(projectId)) <= maxStaleBytes;
        throw new ApiError('canvas_stale', isSmall ? { details: { canvas: await this.readCanvas(tx, writer.userId, projectId) } } : {});
      }
      const addedBytes = canvas.isSnapshotDue ? await storeSnapshot(tx, projectId, current, stateNow(projectId)) : 0;
      const written = { projectId, version: current + 1, author: writer.userId, clientId: writer.clientId, addedBytes };
      const sum = await writeChange(tx, written, records);
      await writer.storeIdempotentResponse(tx, { version: current + 1 });
      return { projectId, version: current + 1, versionsBytes: sum };
    });
    this.deps.announce(writer.userId, { projectId, version, origin: writer.clientId });
    if (versionsBytes > maxVersionsBytes) {
      const trimmed = trimVersions(projectId);
      if (versionsBytes > maxVersionsBytes * waitFromShare) await trimmed;
    }
    return { version };
  }

  private async readCanvas(db: Db, userId: OwnerId, projectId: string): Promise<Canvas> {
    const repository = new ProjectRepository(db);
    const project = orNotFound(await repository.find(userId, projectId));
    return { version: project.canvasVersion, ...withValidLinks(await repository.readCanvas(projectId)) };
  }

  private async find(userId: OwnerId, id: string): Promise<ProjectRow> {
    const repository = new ProjectRepository(this.deps.db);
    return orNotFound(id === 'default' ? await repository.first(userId) : await repository.find(userId, id));
  }
}

const showProject = viewOf(project);

function projectOf(row: ProjectRow): Project {
  const { parallelSteps } = row;
  return showProject(row, {
    parallelSteps: parallelSteps === parallelByBranches ? stepsTogether : parallelSteps,
    branchesTogether: parallelSteps === parallelByBranches ? true : null,
    holdHandOffs: row.holdHandOffs || null,
    testCommand: row.testCommand || null,
  });
}
