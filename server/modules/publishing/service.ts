import type { z } from 'zod';
import type {
  GitTarget,
  gitTargetUpdate,
  ProjectGitTarget,
  Publication,
  PublicationPlan,
} from '../../../contract/executions/publishing.ts';
import { inputLimits } from '../../../contract/input.ts';
import type { Download, Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { Db } from '../../platform/database/database.ts';
import { type DraftPullRequests, type OpenedRequest, RequestFailed } from '../../platform/git/draft-pull-requests.ts';
import type { GitCommits } from '../../platform/git/git-commits.ts';
import type { BaseFile, NewCommit } from '../../platform/git/git-messages.ts';
import type { GitCaller } from '../../platform/git/git-process.ts';
import { readRepositoryAddress } from '../../platform/git/repository-address.ts';
import { type RepositoryMemory, takeMemory } from '../../platform/git/repository-memory.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { PublishableRun, PublishedFile } from '../executions/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { cautionOf, type PublishCaution } from './automation/automation-files.ts';
import { branchName } from './branch-name.ts';
import { PublishRefused, toRefusal } from './publish-refused.ts';
import { type GitTargetRow, type PublicationRow, placeOf, publishingRepository } from './repository.ts';
import { aboutToken } from './repository-access.ts';

export type PublishingDeps = {
  db: Db;
  projects: Pick<ProjectService, 'resolve'>;
  secrets: SecretBox;
  runs: {
    /** Throws `not_found` for a foreign run, and `illegal_state` for one that has not ended. */
    publishable: (userId: string, executionId: string) => Promise<PublishableRun>;
    /** Returns the files of a run, with what it began with. */
    changes: (executionId: string) => Promise<PublishedFile[]>;
    /** Returns title and description of a run's pull request. */
    describe: (userId: string, executionId: string) => Promise<{ title: string; description: string }>;
    /** Returns the files that a run began with. */
    base: (executionId: string) => Promise<BaseFile[]>;
  };
  commits: GitCommits;
  memory: RepositoryMemory;
  openDraft: DraftPullRequests;
  isHostAllowed: (address: string) => Promise<boolean>;
  /** Whether repositories may be reached without encryption, on hosts of the operator's network. */
  allowPrivateHosts: boolean;
  now: () => Date;
};

export type PublishCall = {
  userId: string;
  executionId: string;
  /** Files that run by themselves, which the caller has agreed to. */
  automation: readonly string[];
  language: Language;
  signal: AbortSignal;
};

/** One push of an account. Most of the time is spent waiting for the far side, which takes no place of others. */
const pushLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 8 };
const limits = { ...inputLimits.git, fileBytes: inputLimits.fileBytes };

/** Publishes the files of runs: as a branch with a draft pull request, or as a bundle. */
export function createPublishing({
  db,
  projects,
  secrets,
  runs,
  commits,
  memory,
  openDraft,
  isHostAllowed,
  allowPrivateHosts,
  now,
}: PublishingDeps) {
  const repository = publishingRepository(db);
  const pushes = new AdmissionQueue(pushLimits);

  /** Opens the request of a pushed branch. A failure does not undo the push: it is told beside it. */
  const openRequest = async (
    { forge, url, baseBranch }: GitTargetRow,
    token: string,
    { head, title, description }: { head: string; title: string; description: string },
  ): Promise<OpenedRequest | RequestFailed | null> => {
    if (forge === 'none') return null;
    return openDraft({ forge, url, token, head, base: baseBranch, title, body: description }).catch((error: unknown) => {
      if (error instanceof RequestFailed) return error;
      throw error;
    });
  };

  const tokenOf = ({ projectId, url, tokenSealed }: GitTargetRow): string | null =>
    tokenSealed && secrets.open(tokenSealed, aboutToken(projectId, url));

  const commitOf = async (executionId: string, { task, endedAt }: PublishableRun, branch: string, title: string): Promise<NewCommit> => ({
    branch,
    files: await runs.changes(executionId),
    message: `${title || task.slice(0, 72)}\n\nArtel-Run: ${executionId}\n`,
    seconds: Math.floor(endedAt.getTime() / 1_000),
  });

  const inTurn = <T>(userId: string, signal: AbortSignal, work: (caller: Required<GitCaller>) => Promise<T>): Promise<T> =>
    pushes
      .run(userId, () => memory.use(userId, (grow) => work({ account: userId, signal, grow }), signal), signal)
      .catch((error: unknown) => {
        throw toRefusal(error);
      });

  return {
    async target(userId: string, projectId: string): Promise<ProjectGitTarget> {
      const row = await repository.target(await projects.resolve(userId, projectId));
      return { target: row && toTarget(row) };
    },

    /** Stores where a project is published. A token belongs to its host: it goes when the host changes without a new one. */
    async putTarget(userId: string, projectId: string, given: z.output<typeof gitTargetUpdate>): Promise<ProjectGitTarget> {
      const project = await projects.resolve(userId, projectId);
      const { token, baseBranch, prefix, forge, paths } = given;
      const url = readRepositoryAddress(given.url, allowPrivateHosts, { takesPages: false })?.url;
      if (url === undefined) throw new PublishRefused('address');
      if (!(await isHostAllowed(url))) throw new PublishRefused('host');
      const stored = await db.transaction(async (tx) => {
        const inside = publishingRepository(tx);
        const before = await inside.target(project);
        const keeps = token === undefined && before !== null && new URL(before.url).origin === new URL(url).origin;
        const kept = keeps ? { tokenSealed: before.tokenSealed, tokenLast4: before.tokenLast4 } : { tokenSealed: null, tokenLast4: null };
        const sealed = token ? { tokenSealed: secrets.seal(token, aboutToken(project, url)), tokenLast4: token.slice(-4) } : kept;
        return inside.putTarget({
          projectId: project,
          url,
          baseBranch,
          prefix,
          forge,
          paths: paths ?? before?.paths ?? [],
          ...sealed,
          updatedAt: now(),
        });
      });
      return { target: toTarget(stored) };
    },

    async removeTarget(userId: string, projectId: string): Promise<void> {
      await repository.removeTarget(await projects.resolve(userId, projectId));
    },

    async plan(userId: string, executionId: string, language: Language): Promise<PublicationPlan> {
      const run = await runs.publishable(userId, executionId);
      const [target, last] = await Promise.all([repository.target(run.projectId), repository.publication(executionId)]);
      return {
        target: target && toTarget(target),
        branch: branchOf(run, executionId, target, last),
        files: run.files.length,
        automation: pathsWith(run, 'automation'),
        unlisted: pathsWith(run, 'unlisted'),
        publication: last && toPublication(last, language),
      };
    },

    /**
     * Pushes a run to its branch and opens a draft pull request. Again, it changes nothing unless the run's files have changed: then a commit
     * follows. Throws `publish_refused` or `publish_conflict` with a reason. `signal` ends it before its commit is sent: what follows is done to
     * the end.
     */
    publish: ({ userId, executionId, automation, language, signal }: PublishCall): Promise<Publication> =>
      inTurn(userId, signal, async (caller) => {
        const run = await runs.publishable(userId, executionId);
        const [target, last] = await Promise.all([repository.target(run.projectId), repository.publication(executionId)]);
        if (!target) throw new PublishRefused('no_target');
        if (run.files.length === 0) throw new PublishRefused('no_files');
        const token = tokenOf(target);
        if (!token) throw new PublishRefused('needs_token');
        const branch = branchOf(run, executionId, target, last);
        if (branch === target.baseBranch) throw new PublishRefused('base_branch');
        const known = last && placeOf(last.url) === placeOf(target.url) ? last : null;
        const about = await runs.describe(userId, executionId);
        const commit = await commitOf(executionId, run, branch, about.title);
        const ticked = new Set(automation);
        const refused = run.files.filter(({ path, isNew }) => cautionOf(path, isNew) !== null && !ticked.has(path));
        if (refused.length > 0) throw new PublishRefused('automation', { files: refused.map(({ path }) => path) });
        takeMemory(
          caller.grow,
          commit.files.map(({ after }) => after),
        );
        const pushed = await commits.push({
          url: target.url,
          token,
          ref: target.baseBranch,
          commit,
          run: executionId,
          head: known?.sha ?? null,
          limits,
          caller,
        });
        const row: PublicationRow = {
          ...{ executionId, url: target.url, branch, sha: pushed.sha, baseSha: pushed.base ?? known?.baseSha ?? pushed.sha },
          ...{ requestUrl: known?.requestUrl ?? null, requestNumber: known?.requestNumber ?? null },
          ...{ problem: null, problemText: null, publishedAt: now() },
        };
        // The push is noted at once: the request may take long, or fail.
        await repository.putPublication(row);
        const opened = await openRequest(target, token, { head: branch, ...about });
        const told: PublicationRow =
          opened instanceof RequestFailed
            ? { ...row, problem: opened.reason, problemText: opened.text }
            : { ...row, ...(opened && requestOf(opened)) };
        await repository.putPublication(told);
        return toPublication(told, language);
      }),

    /** Returns the branch of a run as a bundle. */
    bundle: (userId: string, executionId: string, signal: AbortSignal): Promise<Download> =>
      inTurn(userId, signal, async (caller) => {
        const run = await runs.publishable(userId, executionId);
        if (run.files.length === 0) throw new PublishRefused('no_files');
        const target = await repository.target(run.projectId);
        const branch = branchOf(run, executionId, target, null);
        const { title } = await runs.describe(userId, executionId);
        const base = run.git ? [] : await runs.base(executionId);
        const commit = await commitOf(executionId, run, branch, title);
        // The token with which a private repository was read is not kept. The project may have one for the same repository.
        const isSame = target && run.git && placeOf(target.url) === placeOf(run.git.url);
        const token = isSame ? tokenOf(target) : null;
        takeMemory(caller.grow, [...base.map((file) => file.content), ...commit.files.map(({ after }) => after)]);
        const from = run.git && { ...run.git, token };
        const content = await commits.bundle({ from, base, commit, limits, caller });
        return { content, fileName: `artel-${executionId.slice(-12)}.bundle` };
      }),
  };
}

export type Publishing = ReturnType<typeof createPublishing>;

/** The prefix of a project without a repository. */
const usualPrefix = 'artel/';

function branchOf({ task }: PublishableRun, executionId: string, target: GitTargetRow | null, last: PublicationRow | null): string {
  const isThere = last !== null && target !== null && placeOf(last.url) === placeOf(target.url);
  return isThere ? last.branch : branchName(target?.prefix ?? usualPrefix, task, executionId);
}

function pathsWith({ files }: PublishableRun, caution: PublishCaution): string[] {
  return files.filter(({ path, isNew }) => cautionOf(path, isNew) === caution).map(({ path }) => path);
}

function requestOf({ url, number, hasNoDrafts }: OpenedRequest): Partial<PublicationRow> {
  return { requestUrl: url, requestNumber: number, ...(hasNoDrafts && { problem: 'no_drafts' }) };
}

function toTarget({ url, baseBranch, prefix, forge, paths, tokenSealed, tokenLast4, updatedAt }: GitTargetRow): GitTarget {
  return { url, baseBranch, prefix, forge, paths, hasToken: tokenSealed !== null, tokenLast4, updatedAt: updatedAt.toISOString() };
}

function toPublication(row: PublicationRow, language: Language): Publication {
  const { executionId, url, branch, sha, baseSha, requestUrl, requestNumber, problem, problemText, publishedAt } = row;
  const said = problemText ? ` ${translate(language, 'publish.said', { text: problemText })}` : '';
  return {
    ...{ executionId, url, branch, sha, baseSha, publishedAt: publishedAt.toISOString() },
    pullRequest: requestUrl === null || requestNumber === null ? null : { url: requestUrl, number: requestNumber },
    problem: problem && `${translate(language, `publish.request_${problem}`)}${said}`,
  };
}
