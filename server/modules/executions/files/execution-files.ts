import type { ExecutionFiles, FileComparison, PullRequest } from '../../../../contract/executions/file.ts';
import type { TestRun } from '../../../../contract/executions/test-run.ts';
import type { GitSource } from '../../../../contract/input.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { Download, Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type FileDiff, type FileThread, fileRepository, keepLineEnds } from '../../files/index.ts';
import { type EncodedVersion, type FollowedRun, inputFiles } from '../../inputs/index.ts';
import type { ExecutionRepository } from '../store/repository.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import { previousFiles, previousPaths, previousVersion } from './previous-files.ts';
import { pullRequestOf } from './pull-request.ts';

type ExecutionFilesDeps = {
  db: Db;
  repository: Pick<ExecutionRepository, 'whole' | 'find'>;
  thread: Pick<FileThread, 'compare' | 'pack'>;
  /** Tells whether a run was pushed to a repository. */
  isPublished: (executionId: string) => Promise<boolean>;
};

/** A file of a run in bytes, with what the run began with. `isUploaded`: a user gave it to the run, and it comes from no repository. */
export type PublishedFile = { path: string; before: Uint8Array | null; after: Uint8Array; isUploaded: boolean };

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
  /** The files that it wrote. `isNew`: the repository that it began with does not have the file. */
  files: { path: string; isNew: boolean }[];
};

/** Reads the files of a user's execution, and their changes to the project. */
export function createExecutionFiles({ db, repository, thread, isPublished }: ExecutionFilesDeps) {
  const files = fileRepository(db);
  const base = inputFiles(db);

  const whole = async (userId: string, id: string) => {
    const found = await repository.whole(userId, id);
    if (!found) throw new ApiError('not_found');
    return found;
  };

  const demandOwn = async (userId: string, id: string) => {
    if (!(await repository.find(userId, id))) throw new ApiError('not_found');
  };

  const changesOf = async (row: ExecutionRow): Promise<FileDiff[]> => compareAll(row, await files.contents(row.id));

  const compareAll = async (row: ExecutionRow, now: readonly { path: string; content: string }[]): Promise<FileDiff[]> => {
    const paths = now.map(({ path }) => path);
    const before = row.inputSetId === null ? await previousFiles(db, row, paths) : await base.texts(row.id, paths);
    return thread.compare(now.map(({ path, content }) => versionsOf(path, before.get(path) ?? null, content)));
  };

  const versionsOf = (path: string, before: string | null, after: string) => ({ path, before, after: keepLineEnds(before, after) });

  const describe = async (userId: string, id: string, isPushed: boolean): Promise<PullRequest> => {
    const { row, steps } = await whole(userId, id);
    const [changes, latest] = await Promise.all([changesOf(row), files.latest(id)]);
    const changed = new Set(changes.map(({ path }) => path));
    const written = Map.groupBy(
      latest.filter(({ path }) => changed.has(path)),
      ({ stepId }) => stepId,
    );
    return pullRequestOf(
      {
        task: row.initialTask,
        language: row.language,
        agents: steps.map(({ stepId, agentTitle, role }) => ({
          ...{ title: agentTitle, role, files: (written.get(stepId) ?? []).map(({ path }) => path) },
        })),
        edited: steps.filter(({ handOff }) => handOff?.isEdited).map(({ name }) => name),
        simulated: steps.some(({ stepId, simulated }) => simulated && written.has(stepId)),
        tests: newestTests(steps, latest),
        isPushed,
      },
      changes,
    );
  };

  return {
    /** Returns the latest version of each file by path, and the files that were refused. */
    async list(userId: string, id: string, language: Language): Promise<ExecutionFiles> {
      const { row, steps } = await whole(userId, id);
      const latest = await files.latest(id);
      const paths = latest.map(({ path }) => path);
      const before = row.inputSetId === null ? await previousPaths(db, row, paths) : await base.has(id, paths);
      const stepOf = new Map(steps.map((step) => [step.stepId, step]));
      return {
        files: latest.flatMap(({ createdAt, stepId, ...file }) => {
          const step = stepOf.get(stepId);
          if (!step) return [];
          const { name: stepName, agentId, agentTitle, role, simulated } = step;
          const hasPrevious = (row.inputSetId === null && file.versions > 1) || before.has(file.path);
          return [{ ...file, stepId, stepName, agentId, agentTitle, role, simulated, hasPrevious, createdAt: createdAt.toISOString() }];
        }),
        refused: steps.flatMap(({ stepId, refusedFiles }) =>
          (refusedFiles ?? []).map(({ path, reason }) => ({ path, reason, message: translate(language, `file.${reason}`), stepId })),
        ),
      };
    },

    /** Returns number and bytes of the files of an execution that is known to be the user's. */
    async sizes(id: string): Promise<{ count: number; bytes: number }> {
      const latest = await files.latest(id);
      return { count: latest.length, bytes: latest.reduce((sum, { size }) => sum + size, 0) };
    },

    async content(userId: string, id: string, path: string): Promise<Download> {
      await demandOwn(userId, id);
      const content = await files.content(id, path);
      if (content === null) throw new ApiError('not_found');
      return { content, fileName: path };
    },

    /**
     * Compares the latest version of a file with that of the base tree. Without one, with that of an earlier step, else with that of an earlier
     * completed execution.
     */
    async comparison(userId: string, id: string, path: string): Promise<FileComparison> {
      const { row, steps } = await whole(userId, id);
      const [latest, earlier] = await files.lastVersions(id, path);
      if (!latest) throw new ApiError('not_found');
      if (row.inputSetId !== null) {
        const texts = await base.texts(id, [path]);
        const [change] = await thread.compare([versionsOf(path, texts.get(path) ?? null, latest.content)]);
        const { additions = 0, deletions = 0, diff = '' } = change ?? {};
        return { path, against: { from: 'base', stepName: '', createdAt: row.createdAt.toISOString() }, additions, deletions, diff };
      }
      const before = earlier ?? (await previousVersion(db, row, path));
      if (!before) return { path, against: null, additions: 0, deletions: 0, diff: '' };
      const [change] = await thread.compare([{ path, before: before.content, after: latest.content }]);
      const { additions = 0, deletions = 0, diff = '' } = change ?? {};
      const stepName = earlier ? steps.find(({ stepId }) => stepId === earlier.stepId)?.name : undefined;
      const from = earlier ? 'step' : 'execution';
      return { path, against: { from, stepName: stepName ?? '', createdAt: before.createdAt.toISOString() }, additions, deletions, diff };
    },

    /** Packs all files as a ZIP archive, in the encodings of those that they replace. Throws when the execution has no files. */
    async archive(userId: string, id: string): Promise<Download> {
      await demandOwn(userId, id);
      const entries = await files.contents(id);
      if (entries.length === 0) throw new ApiError('not_found');
      const encoded = await base.encoded(id, entries);
      const packed = entries.map((file) => ({ ...file, content: encoded.get(file.path)?.after ?? file.content }));
      return { content: await thread.pack(packed), fileName: `${nameOf(id)}.zip` };
    },

    pullRequest: async (userId: string, id: string): Promise<PullRequest> => describe(userId, id, await isPublished(id)),

    /** Returns the pull request of a run that is pushed. */
    publishedRequest: (userId: string, id: string): Promise<PullRequest> => describe(userId, id, true),

    /** Returns what is published of a run that has ended. Throws `illegal_state` for one that has not ended. */
    async publishable(userId: string, id: string): Promise<PublishableRun> {
      const row = await repository.find(userId, id);
      if (!row) throw new ApiError('not_found');
      if (['pending', 'running', 'paused'].includes(row.status)) throw new ApiError('illegal_state', { details: { status: row.status } });
      const [latest, git, follows] = await Promise.all([files.latest(id), base.git(id), base.follows(id)]);
      const endedAt = new Date(row.completedAt ?? row.failedAt ?? row.updatedAt);
      const known = await base.ofRepository(
        id,
        latest.map(({ path }) => path),
      );
      const written = latest.map(({ path }) => ({ path, isNew: !known.has(path) }));
      const { projectId, initialTask: task, dialogNodeId } = row;
      return { projectId, task, dialogNodeId, endedAt, git, follows, files: written };
    },

    /** Returns the files of an execution that is known to be the user's, with what it began with. */
    async changes(id: string): Promise<PublishedFile[]> {
      const written = await files.contents(id);
      const paths = written.map(({ path }) => path);
      const [texts, uploaded, encoded] = await Promise.all([base.texts(id, paths), base.uploaded(id, paths), base.encoded(id, written)]);
      return written.map(({ path, content }) => {
        const isUploaded = uploaded.has(path);
        const kept = encoded.get(path);
        if (kept) return { path, before: kept.before, after: demandEncoded(path, kept), isUploaded };
        const { before, after } = versionsOf(path, texts.get(path) ?? null, content);
        return { path, before: before === null ? null : Buffer.from(before), after: Buffer.from(after), isUploaded };
      });
    },

    /**
     * Returns the pull request's diff; empty without differences. The lines of a file that is not plain UTF-8 have its bytes, so that the patch
     * applies to it.
     */
    async patch(userId: string, id: string): Promise<Download> {
      const { row } = await whole(userId, id);
      const now = await files.contents(id);
      const encoded = row.inputSetId === null ? new Map<string, EncodedVersion>() : await base.encoded(id, now);
      const fileName = `${nameOf(id)}.patch`;
      const changes = await compareAll(
        row,
        now.filter(({ path }) => !encoded.has(path)),
      );
      const text = changes.map(({ diff }) => diff).join('');
      if (encoded.size === 0) return { content: text, fileName };
      const inBytes = await thread.compare([...encoded].map(([path, version]) => byteVersions(path, version)));
      return { content: Buffer.concat([Buffer.from(text), ...inBytes.map(({ diff }) => Buffer.from(diff, 'latin1'))]), fileName };
    },
  };
}

export type FilesOfExecutions = ReturnType<typeof createExecutionFiles>;

/** Returns both versions with a character for each byte, so that they are compared as bytes. A patch has other paths than ASCII in quotes. */
function byteVersions(path: string, version: EncodedVersion) {
  const charactersOf = (bytes: Buffer) => bytes.toString('latin1');
  return { path, before: charactersOf(version.before), after: charactersOf(demandEncoded(path, version)) };
}

/** A file that its encoding cannot hold is refused when it is written. */
function demandEncoded(path: string, { after }: EncodedVersion): Buffer {
  if (after === null) throw new Error(`A text was stored that the encoding of the file cannot hold: ${path}`);
  return after;
}

/** Returns the newest tests that were executed, and whether another step wrote a file after they had begun. */
function newestTests(
  steps: readonly StepRow[],
  latest: readonly { stepId: string; createdAt: Date }[],
): { run: TestRun; isOutdated: boolean } | null {
  const ended = steps.flatMap(({ stepId, testRun: run }) => (run?.state === 'ended' || run?.state === 'failed' ? [{ stepId, run }] : []));
  const newest = ended.toSorted((one, other) => (one.run.startedAt < other.run.startedAt ? 1 : -1))[0];
  if (!newest) return null;
  // The files of the tester's own answer were executed, too.
  const isLater = (file: { stepId: string; createdAt: Date }) =>
    file.stepId !== newest.stepId && file.createdAt.toISOString() > newest.run.startedAt;
  return { run: newest.run, isOutdated: latest.some(isLater) };
}

/** Returns the file name of a download, with the beginning of the execution's id. */
function nameOf(id: string): string {
  return `artel-${id.slice(-12)}`;
}
