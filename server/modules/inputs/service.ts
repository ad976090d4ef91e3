import {
  type GitAddress,
  type GitSource,
  type InputAddition,
  type InputFile,
  type InputFilesPage,
  type InputRefusal,
  type InputSet,
  type InputSetCopy,
  inputLimits,
  inputRefusals,
} from '../../../contract/input.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Download, Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { AdmissionQueue } from '../../http/limits/admission-queue.ts';
import { elapsed } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { replaceUnstorable } from '../../platform/database/storable-text.ts';
import { distinct } from '../../platform/database/unique-rows.ts';
import type { FetchTree } from '../../platform/git/fetch-tree.ts';
import { GitFailed } from '../../platform/git/git-failed.ts';
import { readRepositoryAddress } from '../../platform/git/repository-address.ts';
import type { RepositoryMemory } from '../../platform/git/repository-memory.ts';
import type { ProcessLanes } from '../../platform/processes/process-lanes.ts';
import { shownPath } from '../files/index.ts';
import type { ProjectService } from '../projects/index.ts';
import type { RepositoryAccess } from '../publishing/index.ts';
import type { AccountStorage } from '../storage/index.ts';
import { gitBases } from './bases/git-bases.ts';
import { type FilesQuery, listFiles } from './bases/list-files.ts';
import { type ReadRepository, readRepository } from './bases/read-repository.ts';
import type { DocumentFormat } from './documents/document-format.ts';
import { createTextDrawer, type DrawnText, drawTexts, isDocumentName } from './documents/draw-texts.ts';
import { InputRefused } from './input-refused.ts';
import { createInputSetLimits } from './input-set-limits.ts';
import { documentTypes } from './mime-of.ts';
import { type ReadFile, readInputFile } from './read-input-file.ts';
import { type InputSetRow, inputRepository } from './repository.ts';
import type { FollowedRun } from './tables.ts';
import { type FoundFile, unpackArchive } from './unpack-archive.ts';

export type InputsDeps = {
  db: Db;
  newId: () => string;
  projects: Pick<ProjectService, 'resolve'>;
  storage: Pick<AccountStorage, 'storing'>;
  /** Draws the text out of a document. Throws `InputRefused`. */
  extractText: (bytes: Uint8Array, path: string, format: DocumentFormat, options: { signal: AbortSignal }) => Promise<string>;
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
  allowPrivateHosts: boolean;
};

type Drawing = { userId: string; path: string; format: DocumentFormat; signal: AbortSignal };
type Found = AsyncIterable<FoundFile> | Iterable<FoundFile>;

/** Writes hold a connection and a file in memory: one of an account at a time. */
const writeLimits = { atOnce: 4, atOncePerAccount: 1, maxWaiting: 1_000, maxPerAccount: 64 };
/** An archive unpacks to 50 MiB: few at a time, and one of an account. */
const archiveLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 16 };
/** One document of an account. Their processes have places of their own. */
const documentLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 32 };
/** One repository of an account. Most of the time is spent waiting for the far side, which takes no place of others. */
const gitLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 8 };

const mebibyte = 1024 * 1024;
/** Bytes of files that are stored by one statement. */
const batchBytes = 4 * 1024 * 1024;
const maxLeftOut = 100;
/** Unused sets of one account, also empty ones. */
const maxUnsentSets = 200;
/** Reasons that hold for the rest of an archive too: nothing of it is taken. */
const ofTheWhole: ReadonlySet<InputRefusal> = new Set(['count_exceeded', 'set_full', 'account_full']);

/** Sets of files that users give to runs. A foreign set is answered like a missing one. */
export function createInputs({
  db,
  newId,
  projects,
  storage,
  extractText,
  lanes,
  fetchTree,
  access,
  packs,
  repositoryLimits,
  allowPrivateHosts,
}: InputsDeps) {
  const writes = new AdmissionQueue(writeLimits);
  const archives = new AdmissionQueue(archiveLimits);
  const documents = new AdmissionQueue(documentLimits);
  const repositories = new AdmissionQueue(gitLimits);
  const repository = inputRepository(db);

  const demand = <T>(row: T | null): T => {
    if (row === null) throw new ApiError('not_found');
    return row;
  };

  /** Checks a set before a body is read on. The lock of the write decides. */
  const demandOpen = async (userId: string, id: string): Promise<InputSetRow> => {
    const row = demand(await repository.find(userId, id));
    if (row.sealedAt !== null) throw new ApiError('input_sealed');
    return row;
  };

  /** Stores files within the account's limit. The reservation has a connection of its own, beside that of the transaction. */
  const storing = (userId: string, files: readonly ReadFile[], write: () => Promise<void>) =>
    files.length === 0 ? write() : storage.storing({ userId, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) }, write);

  const toSet = async (row: InputSetRow): Promise<InputSet> => {
    const own = await repository.ownFiles(row.id);
    const base = row.baseId === null ? null : await repository.baseFiles(row.id, inputLimits.listedOfBase);
    const files =
      base === null ? own : [...own, ...base.files].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)));
    return {
      ...{ id: row.id, projectId: row.projectId, git: row.git, files },
      ...{ count: base?.count ?? own.length, bytes: base?.bytes ?? own.reduce((sum, { bytes }) => sum + bytes, 0) },
      ...{ createdAt: row.createdAt.toISOString(), sealedAt: row.sealedAt?.toISOString() ?? null },
    };
  };

  /** Changes a set in one transaction, while no run starts with it. */
  const change = <T>(userId: string, id: string, work: (inside: ReturnType<typeof inputRepository>, row: InputSetRow) => Promise<T>) =>
    writes.run(userId, () =>
      db.transaction(async (tx) => {
        const inside = inputRepository(tx);
        const row = demand(await inside.lock(userId, id));
        if (row.sealedAt !== null) throw new ApiError('input_sealed');
        return work(inside, row);
      }),
    );

  return {
    /** Creates a set: empty, or with the files of another one of the project. */
    async create(userId: string, projectId: string, { copyOf, withoutRepository = false }: InputSetCopy): Promise<InputSet> {
      const project = await projects.resolve(userId, projectId);
      const add = async (inside: ReturnType<typeof inputRepository>) => {
        if ((await inside.unsent(userId)).sets >= maxUnsentSets) throw new InputRefused('account_full');
        return inside.add({ id: newId(), userId, projectId: project });
      };
      if (copyOf === undefined) return toSet(await add(repository));
      const copy = () =>
        db.transaction(async (tx) => {
          const inside = inputRepository(tx);
          const original = demand(await inside.lock(userId, copyOf));
          if (original.projectId !== project) throw new ApiError('not_found');
          const bytes = await inside.storedBytes(copyOf);
          const set = await add(inside);
          const copied = await storage.storing({ userId, bytes }, () => inside.copy(original, set, withoutRepository));
          if ((await inside.unsent(userId)).bytes > inputLimits.unsentBytes) throw new InputRefused('account_full');
          return copied;
        });
      return toSet(await writes.run(userId, copy));
    },

    async get(userId: string, id: string): Promise<InputSet> {
      return toSet(demand(await repository.find(userId, id)));
    },

    /** Returns a page of the set's files. */
    async files(userId: string, id: string, query: FilesQuery, language: Language): Promise<InputFilesPage> {
      return listFiles(db, demand(await repository.find(userId, id)), query, language);
    },

    /** Returns the text of a file, or that which was drawn out of it. */
    async text(userId: string, id: string, path: string): Promise<Download> {
      demand(await repository.find(userId, id));
      return { content: demand(await repository.text(id, path)), fileName: path };
    },

    /** Adds a file, or replaces the one at its path. The same bytes at the same path change nothing. */
    async putFile(userId: string, id: string, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<InputFile> {
      await demandOpen(userId, id);
      const read = await readInputFile(name, bytes, false);
      if (!read.ok) throw new InputRefused(read.reason, name);
      const file = read.format === null ? read.file : await withText(userId, read.file, read.format, bytes, signal);
      return change(userId, id, async (inside) => {
        const [stored, base] = [await inside.ownFiles(id), await inside.basePaths(id)];
        const same = stored.find(({ path, sha256, from }) => path === file.path && sha256 === file.sha256 && from === 'file');
        if (same) return same;
        const refusal = createInputSetLimits(stored, (await inside.unsent(userId)).bytes, base).admit(file, 'file');
        if (refusal) throw new InputRefused(refusal, file.path);
        await storing(userId, [file], () => inside.put(id, 'file', distinct([file], pathOf)));
        const { executable: _, content: __, text: ___, ...told } = file;
        return { ...told, from: 'file' };
      });
    },

    async removeFile(userId: string, id: string, path: string): Promise<void> {
      await change(userId, id, (inside) => inside.remove(id, path));
    },

    /** Unpacks a ZIP into the set: all of it, but for the files that are listed, or nothing. */
    async addArchive(userId: string, id: string, bytes: Uint8Array, language: Language, signal: AbortSignal): Promise<InputAddition> {
      await demandOpen(userId, id);
      const add = async () => {
        const texts = await drawTexts(unpackArchive(bytes, isDocumentName), extractOr(userId, signal), elapsed);
        return addArchived(userId, id, { found: unpackArchive(bytes), texts }, language);
      };
      return archives.run(userId, add, signal);
    },

    /** Notes the published run whose branch the files of a set come from. */
    async follow(userId: string, id: string, follows: FollowedRun): Promise<void> {
      await change(userId, id, (inside) => inside.setFollows(id, follows));
    },

    /** Reads the files of a repository at one commit into the set: all of them, but for those that are listed, or nothing. */
    async addRepository(
      userId: string,
      id: string,
      { url, ref, token, paths: given }: GitAddress,
      language: Language,
      signal: AbortSignal,
    ): Promise<InputAddition> {
      const { projectId } = await demandOpen(userId, id);
      const address = readRepositoryAddress(url, allowPrivateHosts);
      if (address === null) throw new InputRefused('git_address');
      const known = await access(projectId, address.url);
      const paths = [...new Set(given ?? known.paths)].sort();
      const add = async (grow: (bytes: number) => boolean) => {
        const caller = { account: userId, signal, grow };
        const limits = { ...repositoryLimits, fileBytes: inputLimits.fileBytes };
        const asked = { ...address, ref: ref ?? null, paths, token: token ?? known.token, limits, caller };
        const storing = (bytes: number, write: () => Promise<void>) => writes.run(userId, () => storage.storing({ userId, bytes }, write));
        const draw = createTextDrawer(extractOr(userId, signal), elapsed);
        const deps = { db, userId, fetchTree, draw, withDrawn, storing };
        const read = await readRepository(deps, asked, paths.join('\n')).catch((error: unknown) => {
          throw error instanceof GitFailed ? refusalOf(error) : error;
        });
        return addBase(userId, id, { url: address.url, paths, read }, language);
      };
      return repositories.run(userId, () => packs.use(userId, add, signal), signal);
    },
  };

  /** Makes what was read of a repository the base of a set. */
  async function addBase(
    userId: string,
    id: string,
    { url, paths, read }: { url: string; paths: readonly string[]; read: ReadRepository },
    language: Language,
  ): Promise<InputAddition> {
    const git: GitSource = {
      ...{ url, ref: read.ref, sha: read.sha },
      ...(read.isBranch && { isBranch: true as const }),
      ...(paths.length > 0 && { paths: [...paths] }),
    };
    const leftOut: LeftOut[] = [];
    const row = await writes.run(userId, () =>
      db.transaction(async (tx) => {
        const inside = inputRepository(tx);
        const locked = demand(await inside.lock(userId, id));
        if (locked.sealedAt !== null) throw new ApiError('input_sealed');
        if (locked.git) throw new InputRefused('git_taken');
        const bases = gitBases(tx, userId);
        const known = await bases.find(read.tree, paths.join('\n'));
        const base = known ?? newId();
        if (known === null) {
          const bytes = read.base === null ? await bases.add({ id: base, tree: read.tree, paths: paths.join('\n') }, read.files) : null;
          if (bytes === null) throw new ApiError('busy', { retryAfterSeconds: 2 });
          if (bytes > repositoryLimits.bytes)
            throw refusalOf(new GitFailed('too_large', { details: { limit: repositoryLimits.bytes / mebibyte } }));
        }
        const own = await inside.ownFiles(id);
        const hidden = besideOthers(own, read.files);
        const kept = await inside.setBase(id, base, git, hidden);
        leftOut.push(...(await bases.leftOut(base, maxLeftOut)));
        for (const path of kept) leftOut.push({ path, reason: 'path_kept' });
        for (const path of hidden) leftOut.push({ path, reason: 'path_taken' });
        await inside.putLeftOut(
          locked,
          hidden.map((path) => ({ path, reason: 'path_taken', from: 'git' })),
        );
        return { ...locked, git, baseId: base };
      }),
    );
    leftOut.sort((one, other) => (one.path < other.path ? -1 : 1));
    return { set: await toSet(row), leftOut: toldOf(leftOut, language) };
  }

  async function withText(
    userId: string,
    file: ReadFile,
    format: DocumentFormat,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadFile> {
    return { ...file, text: await textOf({ userId, path: file.path, format, signal }, bytes) };
  }

  async function textOf({ userId, path, format, signal }: Drawing, bytes: Uint8Array): Promise<string> {
    const extract = () => lanes.run(userId, (ended) => extractText(bytes, path, format, { signal: ended }), signal);
    const text = await documents.run(userId, extract, signal);
    return replaceUnstorable(text);
  }

  /** A document that cannot be read is kept all the same: it is one file of many. */
  function extractOr(userId: string, signal: AbortSignal) {
    return (bytes: Uint8Array, path: string, format: DocumentFormat) =>
      textOf({ userId, path, format, signal }, bytes).catch((error: unknown) => {
        if (error instanceof InputRefused) return null;
        throw error;
      });
  }

  async function addArchived(
    userId: string,
    id: string,
    { found, texts }: { found: Found; texts: ReadonlyMap<string, DrawnText> },
    language: Language,
  ): Promise<InputAddition> {
    const leftOut: LeftOut[] = [];
    const row = await change(userId, id, async (inside, locked) => {
      const stored = await inside.ownFiles(id);
      const limits = createInputSetLimits(stored, (await inside.unsent(userId)).bytes, await inside.basePaths(id));
      const own = new Map(stored.filter((file) => file.from === 'file').map((file) => [file.path, file]));
      /** The names that the files of this addition were found under, by path. */
      const names = new Map<string, string>();
      let batch: ReadFile[] = [];
      let size = 0;
      const flush = async () => {
        await storing(userId, batch, () => inside.put(id, 'archive', distinct(batch, pathOf)));
        [batch, size] = [[], 0];
      };
      for await (const one of found) {
        const read = 'reason' in one ? ({ ok: false, reason: one.reason } as const) : await readInputFile(one.path, one.content, true);
        const kept = read.ok ? own.get(read.file.path) : undefined;
        const other = read.ok ? names.get(read.file.path) : undefined;
        if (other !== undefined) {
          leftOut.push({ path: one.path, reason: 'path_twice', other });
          continue;
        }
        const refusal = read.ok ? (kept ? null : limits.admit(read.file, 'archive')) : read.reason;
        if (refusal && ofTheWhole.has(refusal)) throw new InputRefused(refusal, one.path);
        if (refusal || !read.ok) {
          leftOut.push({ path: one.path, reason: refusal ?? 'binary' });
          continue;
        }
        names.set(read.file.path, one.path);
        const file = { ...withDrawn(read.file, texts.get(one.path)), executable: 'isExecutable' in one && one.isExecutable };
        if (kept && kept.sha256 !== file.sha256) leftOut.push({ path: one.path, reason: 'path_kept' });
        if (!kept) batch.push(file);
        size += read.file.bytes;
        if (size >= batchBytes) await flush();
      }
      await flush();
      const missing = leftOut
        // The set has these paths.
        .filter(({ reason }) => reason !== 'path_kept' && reason !== 'path_twice')
        .map(({ path, reason }) => ({ path: shownPath(path), reason, from: 'archive' as const }));
      await inside.putLeftOut(locked, missing);
      return locked;
    });
    return { set: await toSet(row), leftOut: toldOf(leftOut, language) };
  }
}

/** A file that a set does not have. `other`: what has its path. */
type LeftOut = { path: string; reason: InputRefusal; other?: string };

function toldOf(leftOut: readonly LeftOut[], language: Language): InputAddition['leftOut'] {
  return leftOut.slice(0, maxLeftOut).map(({ path, reason, other = '' }) => ({
    ...{ path: shownPath(path), reason },
    message: translate(language, `input.${reason}`, { other: shownPath(other) }),
  }));
}

/** Returns the files of a base that a user's own files leave no place for: another spelling of a path, or a folder where a file is. */
function besideOthers(own: readonly InputFile[], files: readonly { path: string; reason: InputRefusal | null }[]): string[] {
  if (own.length === 0) return [];
  const limits = createInputSetLimits(own, 0, []);
  return files.filter(({ path, reason }) => reason === null && limits.isTaken(path)).map(({ path }) => path);
}

function withDrawn(file: ReadFile, drawn: DrawnText | undefined): ReadFile {
  // A PDF without text is no text for an agent.
  if (!drawn || file.content === null) return file.kind === 'pdf' ? { ...file, kind: 'binary' } : file;
  return { ...file, kind: drawn.format === 'pdf' ? 'pdf' : 'document', mime: documentTypes[drawn.format], text: drawn.text };
}

function bytesOf({ content, text }: ReadFile): number {
  return (content?.length ?? 0) + Buffer.byteLength(text ?? '');
}

const pathOf = ({ path }: ReadFile) => path;

function refusalOf(error: GitFailed): ApiError {
  if (error.reason === 'busy') return new ApiError('busy', { retryAfterSeconds: 2, cause: error });
  const reason = inputRefusals.find((one) => one === `git_${error.reason}`) ?? 'git_failed';
  const { branches = [], limit = 0 } = error.details;
  return new InputRefused(reason, undefined, error, { branches: branches.map(shownPath).join(', '), limit: limit.toLocaleString('en') });
}

export type Inputs = ReturnType<typeof createInputs>;
