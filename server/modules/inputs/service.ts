import {
  type GitAddress,
  type InputAddition,
  type InputFile,
  type InputFilesPage,
  type InputSet,
  type InputSetCopy,
  inputLimits,
  inputSet,
} from '../../../contract/input.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Download, Language } from '../../http/call.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import type { PrivateHosts } from '../../platform/egress/private-hosts.ts';
import type { FetchTree, RepositoryAccess } from '../../platform/git/fetch-tree.ts';
import { GitFailed } from '../../platform/git/git-failed.ts';
import { readRepositoryAddress } from '../../platform/git/repository-address.ts';
import type { RepositoryMemory } from '../../platform/git/repository-memory.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { ProcessLanes } from '../../platform/processes/process-lanes.ts';
import type { ProjectService } from '../projects/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import { addArchived } from './add-archived.ts';
import { addBase } from './bases/add-base.ts';
import { refusalOf } from './bases/git-refusal.ts';
import { type FilesQuery, listFiles } from './bases/list-files.ts';
import { readRepository } from './bases/read-repository.ts';
import { createDocumentTexts, type ExtractText, withDrawn } from './documents/document-texts.ts';
import { createTextDrawer, drawTexts, isDocumentName } from './documents/draw-texts.ts';
import { InputRefused } from './input-refused.ts';
import { createInputSetLimits } from './input-set-limits.ts';
import { toldOf } from './left-out.ts';
import { bytesOf, pathOf, type ReadFile, readInputFile } from './read-input-file.ts';
import { byPath, InputRepository, type InputSetRow } from './repository.ts';
import type { FollowedRun } from './tables.ts';
import { unpackArchive } from './unpack-archive.ts';

type InputsDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  projects: Pick<ProjectService, 'resolve'>;
  storage: Pick<AccountStorage, 'storing' | 'freed'>;
  extractText: ExtractText;
  /** The places of the processes that read documents. */
  lanes: ProcessLanes;
  /** Reads a repository. Throws `GitFailed`. */
  fetchTree: FetchTree;
  /** How a project reads a repository when the caller names no token, and no paths. */
  access: (projectId: string, url: string) => Promise<RepositoryAccess>;
  /** The room for packs of repositories that are read at the same time, on this machine's disk. */
  packs: RepositoryMemory;
  /** What a repository may have. */
  repositoryLimits: { files: number; bytes: number };
  /** Whether repositories may be read without encryption, on hosts of the operator's network. */
  allowPrivateHosts: PrivateHosts;
};

/** Writes hold a connection and a file in memory: one of an account at a time. */
const writeLimits = { atOnce: 4, atOncePerAccount: 1, maxWaiting: 1_000, maxPerAccount: 64 };
/** An archive unpacks to 50 MiB: few at a time, and one of an account. */
const archiveLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 16 };
/** One repository of an account. Most of the time is spent waiting for the far side, which takes no place of others. */
const gitLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 8 };

const showSet = viewOf(inputSet);

/** For so long a start may read a repository and store its files. */
const startWithinMs = 60 * 60 * 1_000;

/** Unused sets of one account, also empty ones. */
const maxUnsentSets = 200;

/** Sets of files that users give to runs. A foreign set is answered like a missing one. */
export class Inputs {
  readonly #deps: InputsDeps;
  readonly #writes = new AdmissionQueue(writeLimits);
  readonly #archives = new AdmissionQueue(archiveLimits);
  readonly #repositories = new AdmissionQueue(gitLimits);
  readonly #repository;
  readonly #documents;

  constructor(deps: InputsDeps) {
    this.#deps = deps;
    this.#repository = new InputRepository(deps.db);
    this.#documents = createDocumentTexts(deps.extractText, deps.lanes);
  }

  /** Creates a set: empty, or with the files of another one of the project. */
  async create(userId: OwnerId, projectId: string, { copyOf, withoutRepository = false }: InputSetCopy): Promise<InputSet> {
    const project = await this.#deps.projects.resolve(userId, projectId);
    const add = async (inside: InputRepository) => {
      if ((await inside.unsent(userId)).sets >= maxUnsentSets) throw new InputRefused('account_full');
      return inside.add({ id: this.#deps.newId(), userId, projectId: project });
    };
    if (copyOf === undefined) return this.#toSet(await add(this.#repository));
    const copy = () =>
      this.#deps.db.transaction(async (tx) => {
        const inside = new InputRepository(tx);
        const original = demand(await inside.lock(userId, copyOf));
        if (original.projectId !== project) throw new ApiError('not_found');
        const bytes = await inside.storedBytes(copyOf);
        const set = await add(inside);
        const copied = await this.#deps.storage.storing({ userId, bytes }, () => inside.copy(original, set, withoutRepository));
        if ((await inside.unsent(userId)).bytes > inputLimits.unsentBytes) throw new InputRefused('account_full');
        return copied;
      });
    return this.#toSet(await this.#writes.run(userId, copy));
  }

  /** Creates the set of a start that begins now. It counts towards no limit of unused sets: the limits of starts bound it. */
  async createForStart(userId: OwnerId, projectId: string): Promise<{ id: string }> {
    const startsUntil = new Date(this.#deps.now().getTime() + startWithinMs);
    return this.#repository.add({ id: this.#deps.newId(), userId, projectId, startsUntil });
  }

  async get(userId: OwnerId, id: string): Promise<InputSet> {
    return this.#toSet(demand(await this.#repository.find(userId, id)));
  }

  /** Returns a page of the set's files. */
  async files(userId: OwnerId, id: string, query: FilesQuery, language: Language): Promise<InputFilesPage> {
    return listFiles(this.#deps.db, demand(await this.#repository.find(userId, id)), query, language);
  }

  /** Returns the text of a file, or that which was drawn out of it. */
  async text(userId: OwnerId, id: string, path: string): Promise<Download> {
    demand(await this.#repository.find(userId, id));
    return { content: demand(await this.#repository.text(id, path)), fileName: path };
  }

  /** Adds a file, or replaces the one at its path. The same bytes at the same path change nothing. */
  async putFile(userId: OwnerId, id: string, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<InputFile> {
    await this.#demandOpen(userId, id);
    const read = await readInputFile(name, bytes, false);
    if (!read.ok) throw new InputRefused(read.reason, name);
    const file = read.format === null ? read.file : await this.#documents.withText(userId, read.file, read.format, bytes, signal);
    return this.#change(userId, id, async (inside) => {
      const [stored, base] = [await inside.ownFiles(id), await inside.basePaths(id)];
      const same = stored.find(({ path, sha256, from }) => path === file.path && sha256 === file.sha256 && from === 'file');
      if (same) return same;
      const refusal = createInputSetLimits(stored, (await inside.unsent(userId)).bytes, base).admit(file, 'file');
      if (refusal) throw new InputRefused(refusal, file.path);
      await this.#storing(userId, [file], () => inside.put(id, 'file', distinct([file], pathOf)));
      const { executable: _, content: __, text: ___, ...told } = file;
      return { ...told, from: 'file' };
    });
  }

  async removeFile(userId: OwnerId, id: string, path: string): Promise<void> {
    await this.#change(userId, id, (inside) => inside.remove(id, path));
  }

  /** Removes a set that no run has used, with its files. One that a run has used stays. */
  async discard(userId: OwnerId, id: string): Promise<void> {
    await this.#repository.removeUnsent(userId, id);
    this.#deps.storage.freed(userId);
  }

  /** Unpacks a ZIP into the set: all of it, but for the files that are listed, or nothing. */
  async addArchive(userId: OwnerId, id: string, bytes: Uint8Array, language: Language, signal: AbortSignal): Promise<InputAddition> {
    await this.#demandOpen(userId, id);
    const add = async () => {
      const texts = await drawTexts(unpackArchive(bytes, isDocumentName), this.#documents.extractOr(userId, signal), elapsed);
      const found = unpackArchive(bytes);
      const { locked, leftOut } = await this.#change(userId, id, async (inside, row) => {
        const adding = { userId, inside, storing: this.#storing.bind(this, userId) };
        return { locked: row, leftOut: await addArchived(adding, row, { found, texts }) };
      });
      return { set: await this.#toSet(locked), leftOut: toldOf(leftOut, language) };
    };
    return this.#archives.run(userId, add, signal);
  }

  /** Notes the published run whose branch the files of a set come from. */
  async follow(userId: OwnerId, id: string, follows: FollowedRun): Promise<void> {
    await this.#change(userId, id, (inside) => inside.setFollows(id, follows));
  }

  /**
   * Reads the files of a repository at one commit into the set: all of them, but for those that are listed, or nothing. The stored token reads every
   * repository on its host for a person, and for a program that of the project alone: its owner has given a program no more.
   */
  async addRepository(
    userId: OwnerId,
    id: string,
    { url, ref, token, paths: given }: GitAddress,
    { language, signal, byProgram }: { language: Language; signal: AbortSignal; byProgram: boolean },
  ): Promise<InputAddition> {
    const { projectId } = await this.#demandOpen(userId, id);
    const address = readRepositoryAddress(url, this.#deps.allowPrivateHosts);
    if (address === null) throw new InputRefused('git_address');
    const known = await this.#deps.access(projectId, address.url);
    const paths = [...new Set(given ?? known.paths)].sort();
    const add = async (grow: (bytes: number) => boolean) => {
      const caller = { account: userId, signal, grow };
      const limits = { ...this.#deps.repositoryLimits, fileBytes: inputLimits.fileBytes };
      const stored = byProgram && !known.isOwn ? null : known.token;
      const asked = { ...address, ref: ref ?? null, paths, token: token ?? stored, limits, caller };
      const storing = (bytes: number, write: () => Promise<void>) =>
        this.#writes.run(userId, () => this.#deps.storage.storing({ userId, bytes }, write));
      const draw = createTextDrawer(this.#documents.extractOr(userId, signal), elapsed);
      const deps = { db: this.#deps.db, userId, fetchTree: this.#deps.fetchTree, draw, withDrawn, storing };
      const read = await readRepository(deps, asked, paths.join('\n')).catch((error: unknown) => {
        throw error instanceof GitFailed ? refusalOf(error) : error;
      });
      const added = await addBase(
        { db: this.#deps.db, newId: this.#deps.newId, writes: this.#writes, repositoryLimits: this.#deps.repositoryLimits },
        userId,
        id,
        { url: address.url, paths, read },
      );
      return { set: await this.#toSet(added.row), leftOut: toldOf(added.leftOut, language) };
    };
    return this.#repositories.run(userId, () => this.#deps.packs.use(userId, add, signal), signal);
  }

  /** Checks a set before a body is read on. The lock of the write decides. */
  async #demandOpen(userId: OwnerId, id: string): Promise<InputSetRow> {
    const row = demand(await this.#repository.find(userId, id));
    if (row.sealedAt !== null) throw new ApiError('input_sealed');
    return row;
  }

  /** Stores files within the account's limit. The reservation has a connection of its own, beside that of the transaction. */
  #storing(userId: OwnerId, files: readonly ReadFile[], write: () => Promise<void>) {
    if (files.length === 0) return write();
    return this.#deps.storage.storing({ userId, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) }, write);
  }

  async #toSet(row: InputSetRow): Promise<InputSet> {
    const own = await this.#repository.listedFiles(row.id, inputLimits.listedOfSet);
    const base = row.baseId === null ? null : await this.#repository.baseFiles(row.id, inputLimits.listedOfBase);
    const files = base === null ? own.files : byPath([...own.files, ...base.files]);
    const { count, bytes } = base ?? own;
    return showSet(row, { files, count, bytes });
  }

  /** Changes a set in one transaction, while no run starts with it. */
  #change<T>(userId: OwnerId, id: string, work: (inside: InputRepository, row: InputSetRow) => Promise<T>) {
    return this.#writes.run(userId, () =>
      this.#deps.db.transaction(async (tx) => {
        const inside = new InputRepository(tx);
        const row = demand(await inside.lock(userId, id));
        if (row.sealedAt !== null) throw new ApiError('input_sealed');
        return work(inside, row);
      }),
    );
  }
}

function demand<T>(row: T | null): T {
  if (row === null) throw new ApiError('not_found');
  return row;
}
