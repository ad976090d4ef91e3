import {
  type GitAddress,
  type GitSource,
  type InputAddition,
  type InputFile,
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
import type { FetchTree } from '../../platform/git/fetch-tree.ts';
import { GitFailed } from '../../platform/git/git-process.ts';
import { repositoryAddress } from '../../platform/git/repository-address.ts';
import { shownPath } from '../files/index.ts';
import type { ProjectService } from '../projects/index.ts';
import type { DocumentFormat } from './documents/document-format.ts';
import { type DrawnText, drawTexts, isDocumentName } from './documents/draw-texts.ts';
import { InputRefused } from './input-refused.ts';
import { createInputSetLimits } from './input-set-limits.ts';
import { documentTypes } from './mime-of.ts';
import { type ReadFile, readInputFile } from './read-input-file.ts';
import { type InputSetRow, inputRepository } from './repository.ts';
import { type FoundFile, unpackArchive } from './unpack-archive.ts';

export type InputsDeps = {
  db: Db;
  newId: () => string;
  projects: Pick<ProjectService, 'resolve'>;
  /** Draws the text out of a document. Throws `InputRefused`. */
  extractText: (bytes: Uint8Array, path: string, format: DocumentFormat) => Promise<string>;
  /** Reads a repository. Throws `GitFailed`. */
  fetchTree: FetchTree;
  /** Whether repositories may be read without encryption, on hosts of the operator's network. */
  allowPrivateHosts: boolean;
};

type Found = AsyncIterable<FoundFile> | Iterable<FoundFile>;

/** Writes hold a connection and a file in memory: one of an account at a time. */
const writeLimits = { atOnce: 4, atOncePerAccount: 1, maxWaiting: 1_000, maxPerAccount: 64 };
/** An archive unpacks to 50 MiB, and a document takes a process: few at a time, and one of an account. */
const archiveLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 16 };
const documentLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 32 };

/** A repository takes a process and its files in memory. */
const gitLimits = { atOnce: 2, atOncePerAccount: 1, maxWaiting: 200, maxPerAccount: 8 };

/** Bytes of files that are stored by one statement. */
const batchBytes = 4 * 1024 * 1024;
const maxLeftOut = 100;
/** Unused sets of one account, also empty ones. */
const maxUnsentSets = 200;
/** A file stays where one of a lower rank has its path: what a user has added by itself is meant most. */
const precedence: Readonly<Record<InputFile['from'], number>> = { git: 0, archive: 1, file: 2 };
/** Reasons that hold for the rest of an archive too: nothing of it is taken. */
const ofTheWhole: ReadonlySet<InputRefusal> = new Set(['count_exceeded', 'set_full', 'account_full']);

/** Sets of files that users give to runs. A foreign set is answered like a missing one. */
export function createInputs({ db, newId, projects, extractText, fetchTree, allowPrivateHosts }: InputsDeps) {
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
  const demandOpen = async (userId: string, id: string) => {
    if (demand(await repository.find(userId, id)).sealedAt !== null) throw new ApiError('input_sealed');
  };

  const toSet = async (row: InputSetRow): Promise<InputSet> => ({
    ...{ id: row.id, projectId: row.projectId, git: row.git, files: await repository.files(row.id) },
    ...{ createdAt: row.createdAt.toISOString(), sealedAt: row.sealedAt?.toISOString() ?? null },
  });

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
          const copied = await inside.copy(original, await add(inside), withoutRepository);
          if ((await inside.unsent(userId)).bytes > inputLimits.unsentBytes) throw new InputRefused('account_full');
          return copied;
        });
      return toSet(await writes.run(userId, copy));
    },

    async get(userId: string, id: string): Promise<InputSet> {
      return toSet(demand(await repository.find(userId, id)));
    },

    /** Returns the text of a file, or that which was drawn out of it. */
    async text(userId: string, id: string, path: string): Promise<Download> {
      demand(await repository.find(userId, id));
      return { content: demand(await repository.text(id, path)), fileName: path };
    },

    /** Adds a file, or replaces the one at its path. The same bytes at the same path change nothing. */
    async putFile(userId: string, id: string, name: string, bytes: Uint8Array): Promise<InputFile> {
      await demandOpen(userId, id);
      const read = await readInputFile(name, bytes, false);
      if (!read.ok) throw new InputRefused(read.reason, name);
      const file = read.format === null ? read.file : await withText(userId, read.file, read.format, bytes);
      return change(userId, id, async (inside) => {
        const stored = await inside.files(id);
        const same = stored.find(({ path, sha256, from }) => path === file.path && sha256 === file.sha256 && from === 'file');
        if (same) return same;
        const refusal = createInputSetLimits(stored, (await inside.unsent(userId)).bytes).admit(file, 'file');
        if (refusal) throw new InputRefused(refusal, file.path);
        await inside.put(id, 'file', [file]);
        const { executable: _, content: __, text: ___, ...told } = file;
        return { ...told, from: 'file' };
      });
    },

    async removeFile(userId: string, id: string, path: string): Promise<void> {
      await change(userId, id, (inside) => inside.remove(id, path));
    },

    /** Unpacks a ZIP into the set: all of it, but for the files that are listed, or nothing. */
    async addArchive(userId: string, id: string, bytes: Uint8Array, language: Language): Promise<InputAddition> {
      await demandOpen(userId, id);
      return archives.run(userId, async () => {
        const texts = await textsOf(userId, unpackArchive(bytes, isDocumentName));
        return addFound(userId, id, { from: 'archive', found: unpackArchive(bytes), texts, git: null }, language);
      });
    },

    /** Reads the files of a repository at one commit into the set: all of them, but for those that are listed, or nothing. */
    async addRepository(userId: string, id: string, { url, ref, token }: GitAddress, language: Language): Promise<InputAddition> {
      await demandOpen(userId, id);
      const address = repositoryAddress(url, allowPrivateHosts);
      if (address === null) throw new InputRefused('git_address');
      return repositories.run(userId, async () => {
        const limits = { ...inputLimits.git, fileBytes: inputLimits.fileBytes };
        const tree = await fetchTree({ url: address, ref: ref ?? null, token: token ?? null, limits }).catch((error: unknown) => {
          throw error instanceof GitFailed ? new InputRefused(refusalOf(error), undefined, error) : error;
        });
        const git = { url: address, ref: tree.ref, sha: tree.sha };
        const texts = await textsOf(userId, tree.files);
        return addFound(userId, id, { from: 'git', found: tree.files, texts, git }, language);
      });
    },
  };

  async function withText(userId: string, file: ReadFile, format: DocumentFormat, bytes: Uint8Array): Promise<ReadFile> {
    return { ...file, text: await textOf(userId, bytes, file.path, format) };
  }

  async function textOf(userId: string, bytes: Uint8Array, path: string, format: DocumentFormat): Promise<string> {
    const text = await documents.run(userId, () => extractText(bytes, path, format));
    return text.replaceAll('\0', '\ufffd').toWellFormed();
  }

  /** A document that cannot be read is kept all the same: it is one file of many. */
  function textsOf(userId: string, found: Found): Promise<Map<string, DrawnText>> {
    const extract = (bytes: Uint8Array, path: string, format: DocumentFormat) =>
      textOf(userId, bytes, path, format).catch((error: unknown) => {
        if (error instanceof InputRefused) return null;
        throw error;
      });
    return drawTexts(found, extract, elapsed);
  }

  async function addFound(
    userId: string,
    id: string,
    { from, found, texts, git }: { from: InputFile['from']; found: Found; texts: ReadonlyMap<string, DrawnText>; git: GitSource | null },
    language: Language,
  ): Promise<InputAddition> {
    const leftOut: { path: string; reason: InputRefusal }[] = [];
    const row = await change(userId, id, async (inside, locked) => {
      if (git && locked.git) throw new InputRefused('git_taken');
      const stored = await inside.files(id);
      const limits = createInputSetLimits(stored, (await inside.unsent(userId)).bytes);
      const own = new Map(stored.filter((file) => precedence[file.from] > precedence[from]).map((file) => [file.path, file]));
      let batch: ReadFile[] = [];
      let replaced: ReadFile[] = [];
      let size = 0;
      const flush = async () => {
        await inside.put(id, from, batch);
        await inside.putReplaced(id, replaced);
        [batch, replaced, size] = [[], [], 0];
      };
      for await (const one of found) {
        const read = 'reason' in one ? ({ ok: false, reason: one.reason } as const) : await readInputFile(one.path, one.content, true);
        const moved = from === 'git' && read.ok && read.file.path !== one.path ? ('path_characters' as const) : null;
        const kept = read.ok ? own.get(read.file.path) : undefined;
        const admit = (file: ReadFile) => (kept ? from === 'git' && limits.admitReplaced(file) : limits.admit(file, from)) || null;
        const refusal = read.ok ? (moved ?? admit(read.file)) : read.reason;
        if (refusal && ofTheWhole.has(refusal)) throw new InputRefused(refusal, one.path);
        if (refusal || !read.ok) {
          leftOut.push({ path: one.path, reason: refusal ?? 'binary' });
          continue;
        }
        const file = { ...withDrawn(read.file, texts.get(one.path)), executable: 'isExecutable' in one && one.isExecutable };
        if (kept && kept.sha256 !== file.sha256) leftOut.push({ path: one.path, reason: 'path_kept' });
        if (!kept) batch.push(file);
        else if (from === 'git') replaced.push(file);
        size += read.file.bytes;
        if (size >= batchBytes) await flush();
      }
      await flush();
      const missing = leftOut
        .filter(({ reason }) => reason !== 'path_kept')
        .map(({ path, reason }) => ({ path: shownPath(path), reason, from }));
      await inside.putLeftOut(locked, missing);
      if (git) await inside.setGit(id, git);
      return { ...locked, git: git ?? locked.git };
    });
    return {
      set: await toSet(row),
      leftOut: leftOut.slice(0, maxLeftOut).map((one) => ({ ...one, message: translate(language, `input.${one.reason}`) })),
    };
  }
}

function withDrawn(file: ReadFile, drawn: DrawnText | undefined): ReadFile {
  // A PDF without text is no text for an agent.
  if (!drawn) return file.kind === 'pdf' ? { ...file, kind: 'binary' } : file;
  return { ...file, kind: drawn.format === 'pdf' ? 'pdf' : 'document', mime: documentTypes[drawn.format], text: drawn.text };
}

function refusalOf({ reason }: GitFailed): InputRefusal {
  return inputRefusals.find((one) => one === `git_${reason}`) ?? 'git_failed';
}

export type Inputs = ReturnType<typeof createInputs>;
