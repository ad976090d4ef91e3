import { isUtf8 } from 'node:buffer';
import type { ExecutionFiles, FileComparison, PullRequest } from '../../../../contract/executions/file.ts';
import type { TestRun } from '../../../../contract/executions/test-run.ts';
import type { GitSource } from '../../../../contract/input.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { Download, Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { FileChange } from '../../../platform/git/git-messages.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import { type ChangeOfFile, changeOf, FileRepository, type FileThread } from '../../files/index.ts';
import { type FollowedRun, InputFiles } from '../../inputs/index.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import { compareChanges, type NamedChange, patchOf, toVersions, withRenames } from './compare-changes.ts';
import { previousFiles, previousPaths } from './previous-files.ts';
import { pullRequestOf } from './pull-request.ts';
import { changesOfBase, changesOfProject, type RunChange } from './read-changes.ts';

const utf8Mark = Buffer.from('\ufeff');

type ExecutionFilesDeps = {
  db: Db;
  repository: Pick<ExecutionRepository, 'whole' | 'find'>;
  thread: Pick<FileThread, 'compare' | 'pack' | 'renames'>;
  /** Tells whether a run was pushed to a repository. */
  isPublished: (executionId: string) => Promise<boolean>;
};

/** A file of a run in bytes, with what the run began with, as `FileChange`. `isUploaded`: it comes from no repository. */
export type PublishedFile = FileChange & { isUploaded: boolean };

/** A run that has ended, as it is published. */
export type PublishableRun = {
  projectId: string;
  task: string;
  endedAt: Date;
  /** The repository that it began with, or null. */
  git: GitSource | null;
  /** The published run with whose branch it goes on, or null. */
  follows: FollowedRun | null;
  dialogNodeId: string | null;
  /** The files that it wrote, moved or removed. `isNew`: the repository that it began with does not have the file. */
  files: { path: string; isNew: boolean }[];
};

/** How many lists of files look for renamed ones at a time: they read all texts of a run, and share one thread. */
const renameSearches = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 64, maxPerAccount: 8 };

type LatestFile = Awaited<ReturnType<FileRepository['latest']>>[number];

/** Reads the files of a user's execution, and their changes to the project. */
export class FilesOfExecutions {
  readonly #deps: ExecutionFilesDeps;
  readonly #files;
  readonly #base;
  readonly #searches = new AdmissionQueue(renameSearches);

  constructor(deps: ExecutionFilesDeps) {
    this.#deps = deps;
    this.#files = new FileRepository(deps.db);
    this.#base = new InputFiles(deps.db);
  }

  /** Returns the latest version of each file by path, a renamed one once, and the files that were refused. */
  async list(userId: OwnerId, id: string, language: Language): Promise<ExecutionFiles> {
    const { row, steps } = await this.#whole(userId, id);
    const latest = await this.#files.latest(id);
    const changes = await this.#listedChanges(row, latest);
    const stepOf = new Map(steps.map((step) => [step.stepId, step]));
    return {
      files: latest.flatMap(({ path, stepId, orderIndex, size, language, createdAt, versions }) => {
        const step = stepOf.get(stepId);
        const change = changes.get(path);
        if (!step || !change) return [];
        const { name: stepName, agentId, agentTitle, role, simulated } = step;
        const hasPrevious = (row.inputSetId === null && versions > 1) || change.change !== 'added';
        const written = { path, ...change, size, language, stepId, stepName, orderIndex, agentId, agentTitle, role, simulated };
        return [{ ...written, versions, hasPrevious, createdAt: createdAt.toISOString() }];
      }),
      refused: steps.flatMap(({ stepId, refusedFiles }) =>
        (refusedFiles ?? []).map(({ path, reason }) => ({ path, reason, message: translate(language, `file.${reason}`), stepId })),
      ),
    };
  }

  /** Returns number and bytes of the files of an execution that is known to be the user's, without removed ones. */
  async sizes(id: string): Promise<{ count: number; bytes: number }> {
    const written = (await this.#files.latest(id)).filter(({ removed }) => !removed);
    return { count: written.length, bytes: written.reduce((sum, { size }) => sum + size, 0) };
  }

  /** Returns a file as text in UTF-8. A file that began with a byte order mark has it still. */
  async content(userId: OwnerId, id: string, path: string): Promise<Download> {
    await this.#demandOwn(userId, id);
    const content = orNotFound(await this.#files.content(id, path));
    const written = (await this.#base.encoded(id, [{ path, content }])).get(path)?.after ?? null;
    return { content: written?.subarray(0, utf8Mark.length).equals(utf8Mark) ? written : content, fileName: path };
  }

  /**
   * Compares the latest version of a file with that of the base tree. Without one, with that of an earlier step, else with that of an earlier
   * completed execution.
   */
  async comparison(userId: OwnerId, id: string, path: string): Promise<FileComparison> {
    const { row, steps } = await this.#whole(userId, id);
    const [latest, earlier] = await this.#files.lastVersions(id, path);
    if (!latest) throw new ApiError('not_found');
    if (row.inputSetId === null && earlier) {
      const stepName = steps.find(({ stepId }) => stepId === earlier.stepId)?.name ?? '';
      const change = betweenSteps(path, earlier, latest);
      return this.#compared(change, { from: 'step', stepName, createdAt: earlier.createdAt.toISOString() });
    }
    const change: NamedChange | undefined =
      (await this.#namedChanges(row, path)).find((one) => one.path === path) ?? (await changesOfProject(this.#deps.db, row, [path]))[0];
    if (!change) throw new ApiError('not_found');
    if (row.inputSetId !== null) return this.#compared(change, { from: 'base', stepName: '', createdAt: row.createdAt.toISOString() });
    const from = change.renamed?.from ?? path;
    const before = (await previousFiles(this.#deps.db, row, [from])).get(from);
    if (!before) return { path, against: null, ...changeOf({ path, before: null, after: '' }), additions: 0, deletions: 0, diff: '' };
    return this.#compared(change, { from: 'execution', stepName: '', createdAt: before.createdAt.toISOString() });
  }

  /**
   * Packs all files as a ZIP archive, in the encodings of those that they replace and with their modes. Throws when the execution has no files.
   */
  async archive(userId: OwnerId, id: string): Promise<Download> {
    await this.#demandOwn(userId, id);
    const entries = (await changesOfBase(this.#deps.db, id)).flatMap(({ path, after, createdAt }) =>
      after ? [{ path, createdAt, content: after.bytes, isExecutable: after.executable }] : [],
    );
    if (entries.length === 0) throw new ApiError('not_found');
    return { content: await this.#deps.thread.pack(entries), fileName: `${nameOf(id)}.zip` };
  }

  async pullRequest(userId: OwnerId, id: string): Promise<PullRequest> {
    return this.#describe(userId, id, await this.#deps.isPublished(id));
  }

  /** Returns the pull request of a run that is pushed. */
  publishedRequest(userId: OwnerId, id: string): Promise<PullRequest> {
    return this.#describe(userId, id, true);
  }

  /** Returns what is published of a run that has ended. Throws `illegal_state` for one that has not ended. */
  async publishable(userId: OwnerId, id: string): Promise<PublishableRun> {
    const row = orNotFound(await this.#deps.repository.find(userId, id));
    if (['pending', 'running', 'paused'].includes(row.status)) throw new ApiError('illegal_state', { details: { status: row.status } });
    const [latest, git, follows] = await Promise.all([this.#files.latest(id), this.#base.git(id), this.#base.follows(id)]);
    const endedAt = new Date(row.completedAt ?? row.failedAt ?? row.updatedAt);
    const paths = latest.map(({ path }) => path);
    const [known, given] = await Promise.all([this.#base.ofRepository(id, paths), this.#base.has(id, paths)]);
    // A file that the run has both made and removed is nothing to publish.
    const changed = latest.filter(({ path, removed }) => !removed || known.has(path) || given.has(path));
    const written = changed.map(({ path }) => ({ path, isNew: !known.has(path) }));
    const { projectId, initialTask: task, dialogNodeId } = row;
    return { projectId, task, dialogNodeId, endedAt, git, follows, files: written };
  }

  /** Returns the changed files of an execution that is known to be the user's, with what it began with. */
  async changes(id: string): Promise<PublishedFile[]> {
    const changed = await changesOfBase(this.#deps.db, id);
    const uploaded = await this.#base.uploaded(
      id,
      changed.map(({ path }) => path),
    );
    return changed.map(({ path, before, after }) => ({
      path,
      before: before?.bytes ?? null,
      after: after?.bytes ?? null,
      isUploaded: uploaded.has(path),
      wasExecutable: before?.executable,
      isExecutable: after?.executable,
    }));
  }

  /**
   * Returns the pull request's diff; empty without differences. The lines of a file that is not plain UTF-8 have its bytes, so that the patch
   * applies to it.
   */
  async patch(userId: OwnerId, id: string): Promise<Download> {
    const { row } = await this.#whole(userId, id);
    const patch = await patchOf(this.#deps.thread, await this.#namedChanges(row));
    // Lines of a file in another encoding have its bytes.
    return { content: isUtf8(patch) ? String(patch) : patch, fileName: `${nameOf(id)}.patch` };
  }

  async #whole(userId: OwnerId, id: string) {
    return orNotFound(await this.#deps.repository.whole(userId, id));
  }

  async #demandOwn(userId: OwnerId, id: string) {
    if (!(await this.#deps.repository.find(userId, id))) throw new ApiError('not_found');
  }

  /** Returns the changes as Git names them; all of them only where a file may be renamed. */
  async #namedChanges(row: ExecutionRow, path?: string): Promise<NamedChange[]> {
    const mayBeRenamed = path === undefined || (await this.#files.held(row.id)).some(({ isRemoved }) => isRemoved);
    return withRenames(this.#deps.thread, await changesOfProject(this.#deps.db, row, mayBeRenamed ? undefined : [path]));
  }

  /** Returns how each file has changed, by path. Only where files are removed, moved or made executable must they all be read for it. */
  async #listedChanges(row: ExecutionRow, latest: readonly LatestFile[]): Promise<Map<string, ChangeOfFile>> {
    const isPlain = latest.every(({ removed, movedFrom, executable }) => !removed && movedFrom === null && executable === null);
    if (!isPlain) {
      const changes = await this.#searches.run(row.userId, () => this.#namedChanges(row));
      return new Map(changes.map((change) => [change.path, changeOf(toVersions(change))]));
    }
    const paths = latest.map(({ path }) => path);
    const before = row.inputSetId === null ? await previousPaths(this.#deps.db, row, paths) : await this.#base.has(row.id, paths);
    return new Map(paths.map((path) => [path, changeOf({ path, before: before.has(path) ? '' : null, after: '' })]));
  }

  async #compared(change: NamedChange, against: FileComparison['against']): Promise<FileComparison> {
    const [diff] = await compareChanges(this.#deps.thread, [change]);
    const { path } = change;
    return diff ? { ...diff, against } : { path, against, ...changeOf(toVersions(change)), additions: 0, deletions: 0, diff: '' };
  }

  async #describe(userId: OwnerId, id: string, isPushed: boolean): Promise<PullRequest> {
    const { row, steps } = await this.#whole(userId, id);
    const [changes, latest] = await Promise.all([
      this.#namedChanges(row).then((all) => compareChanges(this.#deps.thread, all)),
      this.#files.latest(id),
    ]);
    const changed = new Set(changes.map(({ path }) => path));
    const written = Map.groupBy(
      latest.filter(({ path }) => changed.has(path)),
      ({ stepId }) => stepId,
    );
    return pullRequestOf(
      {
        task: row.initialTask,
        language: row.language,
        agents: steps.map(({ stepId, agentTitle }) => ({
          title: agentTitle,
          files: (written.get(stepId) ?? []).map(({ path }) => path),
        })),
        edited: steps.filter(({ handOff }) => handOff?.isEdited).map(({ name }) => name),
        simulated: steps.some(({ stepId, simulated }) => simulated && written.has(stepId)),
        tests: newestTests(steps, latest),
        isPushed,
      },
      changes,
    );
  }
}

type StepVersion = Awaited<ReturnType<FileRepository['lastVersions']>>[number];

/** What the latest step that changed a file did to it. */
function betweenSteps(path: string, earlier: StepVersion, latest: StepVersion): RunChange {
  const was = earlier.executable ?? false;
  const versionOf = ({ content, removed }: StepVersion, executable: boolean) =>
    removed || content === null ? null : { text: content, bytes: Buffer.from(content), executable };
  return {
    path,
    createdAt: latest.createdAt,
    before: versionOf(earlier, was),
    after: versionOf(latest, latest.executable ?? was),
  };
}

/** Returns the newest tests that were executed, and whether another step wrote a file after they had begun. */
function newestTests(
  steps: readonly StepRow[],
  latest: readonly { stepId: string; createdAt: Date }[],
): { run: TestRun; isOutdated: boolean } | null {
  const ended = steps.flatMap(({ stepId, testRun: run }) => (run && wasSent(run) ? [{ stepId, run }] : []));
  const newest = ended.toSorted((one, other) => (one.run.startedAt < other.run.startedAt ? 1 : -1))[0];
  if (!newest) return null;
  // The files of the tester's own answer were executed, too.
  const isLater = (file: { stepId: string; createdAt: Date }) =>
    file.stepId !== newest.stepId && file.createdAt.toISOString() > newest.run.startedAt;
  return { run: newest.run, isOutdated: latest.some(isLater) };
}

/** Whether a runner was asked to execute tests, and this has ended. */
function wasSent({ state, simulated, reason }: TestRun): boolean {
  return (
    (state === 'ended' || state === 'failed') && !simulated && reason !== 'no_command' && reason !== 'no_files' && reason !== 'no_runner'
  );
}

/** Returns the file name of a download, with the beginning of the execution's id. */
function nameOf(id: string): string {
  return `artel-${id.slice(-12)}`;
}
