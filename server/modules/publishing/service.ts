import type { z } from 'zod';
import { email } from '../../../contract/email.ts';
import type { ExecutionFiles } from '../../../contract/executions/file.ts';
import type { FollowUp, gitTargetUpdate, ProjectGitTarget, Publication, PublicationPlan } from '../../../contract/executions/publishing.ts';
import { inputLimits } from '../../../contract/input.ts';
import { withoutClosing } from '../../../rules/text/closing-words.ts';
import type { Download, Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import type { Db } from '../../platform/database/database.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { QueueSlot } from '../../platform/fair-queue.ts';
import { RequestFailed } from '../../platform/git/forge-calls.ts';
import type { Forge, OpenedRequest } from '../../platform/git/forges/forge.ts';
import type { GitCommits } from '../../platform/git/git-commits.ts';
import type { BaseFile, CommitPerson, NewCommit, TreeListing } from '../../platform/git/git-messages.ts';
import type { GitCaller } from '../../platform/git/git-process.ts';
import { readRepositoryAddress } from '../../platform/git/repository-address.ts';
import { type RepositoryMemory, takeMemory } from '../../platform/git/repository-memory.ts';
import { type ReviewComment, readReviewComments } from '../../platform/git/review-comments.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { PublishableRun, PublishedFile } from '../executions/index.ts';
import type { Inputs } from '../inputs/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { cautionOf, type PublishCaution } from './automation/automation-files.ts';
import { branchName, usualPrefix } from './branch-name.ts';
import { commitMessage, toAuthor } from './commit-message.ts';
import { PublishRefused, toRefusal } from './publish-refused.ts';
import { hashOf, pushedFilesOf, textsOf } from './pushed-files.ts';
import { type GitTargetRow, type PublicationRow, placeOf, publishingRepository } from './repository.ts';
import { aboutToken } from './repository-access.ts';
import { reviewTask } from './review-task.ts';
import { branchesOf, followedCommits, type PublishedRun } from './run-branches.ts';
import { toPublication, toTarget } from './shown-publication.ts';

export type PublishingDeps = {
  db: Db;
  projects: Pick<ProjectService, 'resolve'>;
  secrets: SecretBox;
  runs: {
    /** Throws `not_found` for a foreign run, and `illegal_state` for one that has not ended. */
    publishable: (userId: OwnerId, executionId: string) => Promise<PublishableRun>;
    /** Returns the files that a run has changed, as they are listed. */
    list: (userId: OwnerId, executionId: string, language: Language) => Promise<Pick<ExecutionFiles, 'files'>>;
    /** Returns the files of a run, with what it began with. */
    changes: (executionId: string) => Promise<PublishedFile[]>;
    /** Returns title and description of a run's pull request. */
    describe: (userId: OwnerId, executionId: string) => Promise<{ title: string; description: string }>;
    /** Returns the issue of a repository that a run is about, and what its commit is named after; null for a run of none. */
    issueOf: (executionId: string) => Promise<{ url: string; number: number; subject: string } | null>;
    /** Returns the files that a run began with. */
    base: (executionId: string) => Promise<BaseFile[]>;
    /** Lists the files of the repository that a run began with; null for none. */
    origin: (executionId: string) => Promise<TreeListing | null>;
  };
  commits: GitCommits;
  /** The room for what is received of repositories, on this machine's disk, and for the files of runs in memory. */
  packs: RepositoryMemory;
  memory: RepositoryMemory;
  /** The largest repository. */
  repositoryLimits: { files: number; bytes: number };
  forge: Pick<Forge, 'comments' | 'openDraft'>;
  inputs: Pick<Inputs, 'create' | 'addRepository' | 'follow'>;
  /** Returns the account of a person. */
  personOf: (userId: OwnerId) => Promise<{ name: string; email: string; isVerified: boolean } | null>;
  isHostAllowed: (address: string) => Promise<boolean>;
  /** Whether repositories may be reached without encryption, on hosts of the operator's network. */
  allowPrivateHosts: PrivateHosts;
  /** Called after an event for receivers was stored. */
  onTold: () => void;
  now: () => Date;
};

type PublishCall = {
  userId: OwnerId;
  executionId: string;
  /** Files that run by themselves, which the caller has agreed to. */
  automation: readonly string[];
  /** One of the plan's branches, and the base of a new one; the usual ones unless given. */
  branch?: string | undefined;
  base?: string | undefined;
  language: Language;
  signal: AbortSignal;
};

/** One push of an account. Most of the time is spent waiting for the far side, which takes no place of others. */
const pushLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 8 };

/** Publishes the files of runs: as a branch with a draft pull request, or as a bundle. */
export class Publishing {
  readonly #deps: PublishingDeps;
  readonly #repository;
  readonly #pushes = new AdmissionQueue(pushLimits);
  readonly #limits;

  constructor(deps: PublishingDeps) {
    this.#deps = deps;
    this.#repository = publishingRepository(deps.db);
    this.#limits = { ...deps.repositoryLimits, fileBytes: inputLimits.fileBytes };
  }

  async target(userId: OwnerId, projectId: string): Promise<ProjectGitTarget> {
    const row = await this.#repository.target(await this.#deps.projects.resolve(userId, projectId));
    return { target: row && toTarget(row) };
  }

  /** Stores where a project is published. What is not given stays. A token belongs to its host: it goes when the host changes without a new one. */
  async putTarget(userId: OwnerId, projectId: string, given: z.output<typeof gitTargetUpdate>): Promise<ProjectGitTarget> {
    const project = await this.#deps.projects.resolve(userId, projectId);
    const { token, baseBranch, prefix, forge, author, signsOff, paths } = given;
    const url = readRepositoryAddress(given.url, this.#deps.allowPrivateHosts, { takesPages: false })?.url;
    if (url === undefined) throw new PublishRefused('address');
    if (!(await this.#deps.isHostAllowed(url))) throw new PublishRefused('host');
    const by = author && toAuthor({ ...author, email: email.safeParse(author.email).data ?? '' });
    if (author && !by) throw new PublishRefused('author_address');
    const stored = await this.#deps.db.transaction(async (tx) => {
      const inside = publishingRepository(tx);
      const before = await inside.target(project);
      const keeps = token === undefined && before !== null && new URL(before.url).origin === new URL(url).origin;
      const kept = keeps ? { tokenSealed: before.tokenSealed, tokenLast4: before.tokenLast4 } : { tokenSealed: null, tokenLast4: null };
      const sealed = token ? { tokenSealed: this.#deps.secrets.seal(token, aboutToken(project, url)), tokenLast4: token.slice(-4) } : kept;
      return inside.putTarget({
        projectId: project,
        url,
        baseBranch,
        prefix: prefix ?? before?.prefix ?? usualPrefix,
        forge,
        authorName: (by === undefined ? before?.authorName : by?.name) ?? null,
        authorEmail: (by === undefined ? before?.authorEmail : by?.email) ?? null,
        signsOff: signsOff ?? before?.signsOff ?? false,
        paths: paths ?? before?.paths ?? [],
        ...sealed,
        updatedAt: this.#deps.now(),
      });
    });
    return { target: toTarget(stored) };
  }

  async removeTarget(userId: OwnerId, projectId: string): Promise<void> {
    await this.#repository.removeTarget(await this.#deps.projects.resolve(userId, projectId));
  }

  async plan(userId: OwnerId, executionId: string, language: Language): Promise<PublicationPlan> {
    const known = await this.#published(userId, executionId);
    const { run, target, last } = known;
    const branches = branchesOf(known);
    const author = await this.#authorOf(userId, target);
    return {
      target: target && toTarget(target),
      branch: branches[0].name,
      branches,
      author,
      authorProblem: author ? null : translate(language, 'publish.author_unverified'),
      files: (await this.#deps.runs.list(userId, executionId, language)).files.length,
      automation: pathsWith(run, 'automation'),
      unlisted: pathsWith(run, 'unlisted'),
      publication: last && toPublication(last, target?.baseBranch ?? '', language),
    };
  }

  /**
   * Pushes a run to its branch and opens a draft pull request. Again, it changes nothing unless the run's files have changed: then a commit
   * follows. Throws `publish_refused` or `publish_conflict` with a reason. `signal` ends it before its commit is sent: what follows is done to
   * the end.
   */
  publish({ userId, executionId, automation, language, signal, ...asked }: PublishCall): Promise<Publication> {
    return this.#inTurn({ userId, language, signal }, async (caller, hold) => {
      const run = await this.#published(userId, executionId);
      const { target, last } = run;
      if (!target) throw new PublishRefused('no_target');
      // A published run may have taken all its files back.
      if (run.run.files.length === 0 && last === null) throw new PublishRefused('no_files');
      const token = this.#tokenOf(target);
      if (!token) throw new PublishRefused('needs_token');
      const { branch, base } = chosenBranch(run, asked);
      if (branch === base || branch === target.baseBranch) throw new PublishRefused('base_branch');
      const author = await this.#authorOf(userId, target);
      if (target.signsOff && !author) throw new PublishRefused('author');
      const known = last && placeOf(last.url) === placeOf(target.url) ? last : null;
      const about = await this.#describe(userId, run);
      const commit = await this.#commitOf(run, { branch, title: about.title, author });
      demandTicked(run.run, automation);
      takeMemory(hold, textsOf(commit));
      const filesSha = hashOf(commit.files);
      const there = await this.#repository.onBranch(run.run.projectId, target.url, branch);
      const pushed = await this.#deps.commits.push({
        url: target.url,
        token,
        ref: base,
        commit,
        run: executionId,
        head: known?.sha ?? null,
        limits: this.#limits,
        caller,
        isSame: known?.filesSha === filesSha,
        follows: followedCommits(run, branch, there),
        pushed: known?.pushed ?? null,
        ...(isHere(run) && { origin: () => this.#deps.runs.origin(executionId) }),
      });
      const row: PublicationRow = {
        executionId,
        url: target.url,
        branch,
        baseBranch: base,
        sha: pushed.sha,
        filesSha,
        problem: null,
        problemText: null,
        pushed: pushedFilesOf(commit.files),
        renamed: pushed.renamed ?? known?.renamed ?? [],
        baseSha: pushed.base ?? known?.baseSha ?? pushed.sha,
        requestUrl: known?.requestUrl ?? null,
        requestNumber: known?.requestNumber ?? null,
        publishedAt: this.#deps.now(),
      };
      // The push is noted at once: the request may take long, or fail.
      await this.#repository.putPublication(row);
      const opened = await this.#openRequest(target, token, { head: branch, base, ...about });
      const told: PublicationRow =
        opened instanceof RequestFailed
          ? { ...row, problem: opened.reason, problemText: opened.text }
          : { ...row, ...(opened && requestOf(opened)) };
      if ((await this.#repository.putPublication(told, { userId, ...run.run })) > 0) this.#deps.onTold();
      return toPublication(told, base, language);
    });
  }

  /**
   * Makes the files of a run that goes on with a published branch: the repository at its newest commit, and the comments of its pull request as the
   * task. Throws `publish_refused` for a run that was not published, and `input_refused` where the branch cannot be read.
   */
  async followUp({ userId, executionId, language, signal }: Omit<PublishCall, 'automation'>): Promise<FollowUp> {
    const { run, target, last } = await this.#published(userId, executionId);
    if (!target) throw new PublishRefused('no_target');
    if (!last || placeOf(last.url) !== placeOf(target.url)) throw new PublishRefused('not_published');
    const { branch, requestNumber } = last;
    const token = this.#tokenOf(target);
    const { comments, failure } = await this.#reviewOf(target, token, requestNumber);
    const { id } = await this.#deps.inputs.create(userId, run.projectId, {});
    const address = { url: target.url, ref: branch, ...(token !== null && { token }) };
    const { set, leftOut } = await this.#deps.inputs.addRepository(userId, id, address, { language, signal, byProgram: false });
    await this.#deps.inputs.follow(userId, id, {
      executionId,
      branch,
      base: last.baseBranch ?? target.baseBranch,
      hasReview: comments.length > 0,
    });
    const said = failure?.text ? ` ${translate(language, 'publish.said', { text: failure.text })}` : '';
    return {
      set,
      leftOut,
      branch,
      comments: comments.length,
      dialogNodeId: run.dialogNodeId,
      text: reviewTask(comments, branch, language),
      problem: failure && `${translate(language, 'publish.review_failed')}${said}`,
    };
  }

  /** Returns the branch of a run as a bundle. */
  bundle({ userId, executionId, language, signal }: Omit<PublishCall, 'automation'>): Promise<Download> {
    return this.#inTurn({ userId, language, signal }, async (caller, hold) => {
      const known = await this.#published(userId, executionId);
      const { run, target } = known;
      if (run.files.length === 0) throw new PublishRefused('no_files');
      const branch = branchName(target?.prefix ?? usualPrefix, known.subject ?? run.task, executionId);
      const { title } = await this.#describe(userId, known);
      const base = run.git ? [] : await this.#deps.runs.base(executionId);
      const commit = await this.#commitOf(known, { branch, title, author: await this.#authorOf(userId, target) });
      // The token with which a private repository was read is not kept. The project may have one for the same repository.
      const isSame = target && run.git && placeOf(target.url) === placeOf(run.git.url);
      const token = isSame ? this.#tokenOf(target) : null;
      takeMemory(hold, [...base.map((file) => file.content), ...textsOf(commit)]);
      const from = run.git && { ...run.git, token };
      const origin = () => this.#deps.runs.origin(executionId);
      const content = await this.#deps.commits.bundle({ from, base, commit, origin, limits: this.#limits, caller });
      return { content, fileName: `artel-${executionId.slice(-12)}.bundle` };
    });
  }

  /** Opens the request of a pushed branch. A failure does not undo the push: it is told beside it. */
  async #openRequest(
    { forge, url }: GitTargetRow,
    token: string,
    { head, base, title, description }: { head: string; base: string; title: string; description: string },
  ): Promise<OpenedRequest | RequestFailed | null> {
    if (forge === 'none') return null;
    return this.#deps.forge.openDraft({ forge, url, token }, { head, base, title, body: description }).catch((error: unknown) => {
      if (error instanceof RequestFailed) return error;
      throw error;
    });
  }

  #tokenOf({ projectId, url, tokenSealed }: GitTargetRow): string | null {
    return tokenSealed && this.#deps.secrets.open(tokenSealed, aboutToken(projectId, url));
  }

  /** Returns who the commits of a person are by: who the project says, else the person by a verified address; null for Artel itself. */
  async #authorOf(userId: OwnerId, target: GitTargetRow | null): Promise<CommitPerson | null> {
    if (target?.authorName && target.authorEmail) return toAuthor({ name: target.authorName, email: target.authorEmail });
    const person = await this.#deps.personOf(userId);
    return person?.isVerified ? toAuthor(person) : null;
  }

  /** Returns how a run is told of. One about an issue is named after that and closes it, and no words of others close another one. */
  async #describe(userId: OwnerId, { executionId, subject, closes }: PublishedRun): Promise<{ title: string; description: string }> {
    const { title, description } = await this.#deps.runs.describe(userId, executionId);
    if (subject === null) return { title, description };
    return { title: withoutClosing(subject), description: `${description}\n\nCloses #${closes}` };
  }

  async #commitOf(
    { run: { task, endedAt }, executionId, target }: PublishedRun,
    { branch, title, author }: { branch: string; title: string; author: CommitPerson | null },
  ): Promise<NewCommit & { files: PublishedFile[] }> {
    return {
      branch,
      author,
      files: await this.#deps.runs.changes(executionId),
      message: commitMessage({ title: title || task.slice(0, 72), executionId, author, signsOff: target?.signsOff ?? false }),
      seconds: Math.floor(endedAt.getTime() / 1_000),
    };
  }

  async #published(userId: OwnerId, executionId: string): Promise<PublishedRun> {
    const run = await this.#deps.runs.publishable(userId, executionId);
    const [target, last, originals, found] = await Promise.all([
      this.#repository.target(run.projectId),
      this.#repository.publication(executionId),
      this.#repository.originals(executionId),
      this.#deps.runs.issueOf(executionId),
    ]);
    // Its number is another issue's in any other repository.
    const issue = found && (target === null || placeOf(target.url) === placeOf(found.url)) ? found : null;
    return { run, executionId, target, last, originals, subject: issue?.subject ?? null, closes: issue?.number ?? null };
  }

  /** Returns the open comments of a pushed branch's request, and why they could not be read. */
  async #reviewOf(
    { forge, url }: GitTargetRow,
    token: string | null,
    number: number | null,
  ): Promise<{ comments: ReviewComment[]; failure: RequestFailed | null }> {
    if (forge === 'none' || number === null || token === null) return { comments: [], failure: null };
    return readReviewComments(this.#deps.forge, { forge, url, token }, number).then(
      (comments) => ({ comments, failure: null }),
      (error: unknown) => {
        if (error instanceof RequestFailed) return { comments: [], failure: error };
        throw error;
      },
    );
  }

  #inTurn<T>(
    { userId, language, signal }: Pick<PublishCall, 'userId' | 'language' | 'signal'>,
    work: (caller: Required<GitCaller>, hold: QueueSlot['grow']) => Promise<T>,
  ): Promise<T> {
    const held = (grow: QueueSlot['grow']) =>
      this.#deps.memory.use(userId, (hold) => work({ account: userId, signal, grow }, hold), signal);
    return this.#pushes
      .run(userId, () => this.#deps.packs.use(userId, held, signal), signal)
      .catch((error: unknown) => {
        throw toRefusal(error, language);
      });
  }
}

function pathsWith({ files }: PublishableRun, caution: PublishCaution): string[] {
  return files.filter(({ path, isNew }) => cautionOf(path, isNew) === caution).map(({ path }) => path);
}

function requestOf({ url, number, hasNoDrafts }: OpenedRequest): Partial<PublicationRow> {
  return { requestUrl: url, requestNumber: number, ...(hasNoDrafts && { problem: 'no_drafts' }) };
}

/** Returns the branch that is asked for, or the usual one. */
function chosenBranch(run: PublishedRun, asked: Pick<PublishCall, 'branch' | 'base'>): { branch: string; base: string } {
  const branches = branchesOf(run);
  const chosen = asked.branch === undefined ? branches[0] : branches.find(({ name }) => name === asked.branch);
  const isOther = asked.base !== undefined && asked.base !== chosen?.base;
  if (!chosen || (isOther && !chosen.isNew)) throw new PublishRefused('branch');
  return { branch: chosen.name, base: asked.base ?? chosen.base };
}

/** Whether a run began with the repository that it is published to. */
function isHere({ run: { git }, target }: PublishedRun): boolean {
  return git !== null && target !== null && placeOf(git.url) === placeOf(target.url);
}

/** Throws `publish_refused` for files that go only when they are ticked, and are not. */
function demandTicked({ files }: PublishableRun, automation: readonly string[]): void {
  const ticked = new Set(automation);
  const refused = files.filter(({ path, isNew }) => cautionOf(path, isNew) !== null && !ticked.has(path));
  if (refused.length > 0) throw new PublishRefused('automation', { files: refused.map(({ path }) => path) });
}
