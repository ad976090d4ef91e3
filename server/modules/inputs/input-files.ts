import type { GitSource, InputFile } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, isNotNull, ne, sql } from '../../platform/database/drizzle.ts';
import type { BaseFile } from '../../platform/git/git-messages.ts';
import type { BasePath } from '../files/index.ts';
import { type EncodedVersion, encodeWritten } from './encoded-files.ts';
import { type FollowedRun, inputSets, type LeftOutFile, replacedGitFiles, inputFiles as table } from './tables.ts';

/** Bytes of files that are read at a time, but for a larger one. */
const readBytes = 1024 * 1024;

/** The files that a user gave to an execution: its base tree. The caller has checked who may read them. */
export function inputFiles(db: Db) {
  const { setId, path, mime, kind, source, bytes, sha256, text, encoding, replaced } = table;
  const setOf = (executionId: string) => sql`(SELECT input_set_id FROM executions WHERE id = ${executionId})`;
  const ofExecution = (executionId: string) => sql`${setId} = ${setOf(executionId)}`;
  const replacedOf = (executionId: string) => sql`${replacedGitFiles.setId} = ${setOf(executionId)}`;

  /** Returns what the set does not have of archives and of the repository. */
  const leftOut = async (executionId: string): Promise<LeftOutFile[]> => {
    const [row] = await db
      .select({ leftOut: inputSets.leftOut })
      .from(inputSets)
      .where(sql`${inputSets.id} = ${setOf(executionId)}`);
    return row?.leftOut ?? [];
  };

  /** Returns the repository's versions of those of these paths that a user has replaced or removed; empty for what is not text. */
  const replacedTexts = async (executionId: string, paths: readonly string[]): Promise<Map<string, string>> => {
    const rows = await db
      .select({ path: replacedGitFiles.path, text: replacedGitFiles.text })
      .from(replacedGitFiles)
      .where(and(replacedOf(executionId), sql`${replacedGitFiles.path} = ANY(${sql.param([...paths])}::text[])`));
    return new Map(rows.map((row) => [row.path, row.text ?? '']));
  };

  /** Returns these files as bytes, where they replace files that are not plain UTF-8. */
  const encoded = (executionId: string, written: readonly { path: string; content: string }[]): Promise<Map<string, EncodedVersion>> =>
    encodeWritten(db, { ofSet: ofExecution(executionId), ofReplaced: replacedOf(executionId) }, written);

  /** Returns these files of the set, with their bytes. */
  const given = async (executionId: string, paths: readonly string[]): Promise<Map<string, BaseVersion>> => {
    if (paths.length === 0) return new Map();
    const ofPaths = sql`${path} = ANY(${sql.param([...paths])}::text[])`;
    const rows = await db
      .select(versionColumns(table))
      .from(table)
      .where(and(ofExecution(executionId), ofPaths));
    return new Map(rows.map((row) => [row.path, toVersion(row)]));
  };

  return {
    leftOut,
    encoded,
    given,

    /**
     * Returns what these paths have for a patch and a commit. Where a user has replaced or removed a file of the repository it is the
     * repository's.
     */
    originals: async (executionId: string, paths: readonly string[]): Promise<Map<string, BaseVersion>> => {
      if (paths.length === 0) return new Map();
      const rows = await db
        .select(versionColumns(replacedGitFiles))
        .from(replacedGitFiles)
        .where(and(replacedOf(executionId), sql`${replacedGitFiles.path} = ANY(${sql.param([...paths])}::text[])`));
      return new Map([...(await given(executionId, paths)), ...rows.map((row) => [row.path, toVersion(row)] as const)]);
    },

    /**
     * Returns all paths that are taken, also by files that were left out. What the repository has decides about a path: a commit and a patch
     * meet it there. A second spelling of a path is left out for the first one, which stays. `written` are files that must fit beside them.
     */
    paths: async (executionId: string, written: readonly { path: string; content: string }[]): Promise<BasePath[]> => {
      const [left, given, replaced, versions] = await Promise.all([
        leftOut(executionId),
        db.select({ path, kind, from: source }).from(table).where(ofExecution(executionId)),
        db.select({ path: replacedGitFiles.path, kind: replacedGitFiles.kind }).from(replacedGitFiles).where(replacedOf(executionId)),
        encoded(executionId, written),
      ]);
      const ofRepository = new Set(given.filter(({ from }) => from === 'git').map((one) => one.path.toLowerCase()));
      const missing = left.filter((one) => one.reason !== 'path_taken' || !ofRepository.has(one.path.toLowerCase()));
      const paths = new Map(missing.map((one) => [one.path, false]));
      for (const one of given) paths.set(one.path, one.kind === 'text');
      for (const one of replaced) paths.set(one.path, one.kind === 'text');
      for (const one of missing) if (one.from === 'git') paths.set(one.path, false);
      return [...paths].map(([of, isReplaceable]) => ({ path: of, isReplaceable, isUnencodable: versions.get(of)?.after === null }));
    },

    /** Returns all files by path; none for an execution without a set. */
    list: (executionId: string): Promise<InputFile[]> =>
      db
        .select({ path, mime, bytes, sha256, kind, encoding, replaced, from: source })
        .from(table)
        .where(ofExecution(executionId))
        .orderBy(asc(path)),

    /** Returns the text of a file, or of a PDF; null for a binary or unknown one. */
    text: async (executionId: string, of: string): Promise<{ text: string; sha256: string } | null> => {
      const [row] = await db
        .select({ text, sha256 })
        .from(table)
        .where(and(ofExecution(executionId), eq(path, of)));
      return row && row.text !== null ? { text: row.text, sha256: row.sha256 } : null;
    },

    /** Returns which of these paths the base tree has. */
    has: async (executionId: string, paths: readonly string[]): Promise<Set<string>> => {
      if (paths.length === 0) return new Set();
      const rows = await db
        .select({ path })
        .from(table)
        .where(and(ofExecution(executionId), sql`${path} = ANY(${sql.param([...paths])}::text[])`));
      return new Set(rows.map((row) => row.path));
    },

    /** Returns which of these paths were uploaded, and are not in the repository. */
    uploaded: async (executionId: string, paths: readonly string[]): Promise<Set<string>> => {
      if (paths.length === 0) return new Set();
      const rows = await db
        .select({ path })
        .from(table)
        .where(and(ofExecution(executionId), ne(source, 'git'), sql`${path} = ANY(${sql.param([...paths])}::text[])`));
      const replaced = await replacedTexts(executionId, paths);
      return new Set(rows.map((row) => row.path).filter((one) => !replaced.has(one)));
    },

    /** Returns which of these paths the repository of the base tree has, also where a user has replaced or removed its file. */
    ofRepository: async (executionId: string, paths: readonly string[]): Promise<Set<string>> => {
      if (paths.length === 0) return new Set();
      const rows = await db
        .select({ path })
        .from(table)
        .where(and(ofExecution(executionId), eq(source, 'git'), sql`${path} = ANY(${sql.param([...paths])}::text[])`));
      return new Set([...rows.map((row) => row.path), ...(await replacedTexts(executionId, paths)).keys()]);
    },

    /**
     * Returns the texts of those of these paths that are text files themselves, byte for byte. Where a user has replaced or removed a file of the
     * repository it is the repository's: a patch and a commit are against that one.
     */
    texts: async (executionId: string, paths: readonly string[]): Promise<Map<string, string>> => {
      if (paths.length === 0) return new Map();
      const rows = await db
        .select({ path, text })
        .from(table)
        .where(and(ofExecution(executionId), eq(kind, 'text'), isNotNull(text), sql`${path} = ANY(${sql.param([...paths])}::text[])`));
      const given = rows.flatMap(({ path: of, text: own }) => (own === null ? [] : [[of, own] as const]));
      return new Map([...given, ...(await replacedTexts(executionId, paths))]);
    },

    /** Returns all files whose bytes are kept. Sets of earlier versions have only the hashes of binary files of repositories. */
    contents: async (executionId: string): Promise<BaseFile[]> => {
      const rows = await db
        .select({ path, kind, text, content: table.content, isExecutable: table.executable })
        .from(table)
        .where(ofExecution(executionId))
        .orderBy(asc(path));
      return rows.flatMap(({ kind, text, content, ...file }) => {
        if (content !== null) return [{ ...file, content }];
        return kind === 'text' && text !== null ? [{ ...file, content: Buffer.from(text) }] : [];
      });
    },

    /** Reads the texts of all files by path, those of PDFs too, a few at a time: together they may be as large as a set. */
    async *readTexts(executionId: string): AsyncGenerator<{ path: string; text: string }> {
      const sizes = await db
        .select({ path, bytes: sql<number>`octet_length(${text})` })
        .from(table)
        .where(and(ofExecution(executionId), isNotNull(text)))
        .orderBy(asc(path));
      for (const paths of batchesOf(sizes)) {
        const rows = await db
          .select({ path, text: sql<string>`${text}` })
          .from(table)
          .where(and(ofExecution(executionId), isNotNull(text), sql`${path} = ANY(${sql.param(paths)}::text[])`))
          .orderBy(asc(path));
        yield* rows;
      }
    },

    /** Returns the published run whose branch the files come from, or null. */
    follows: async (executionId: string): Promise<FollowedRun | null> => {
      const [row] = await db
        .select({ follows: inputSets.follows })
        .from(inputSets)
        .where(sql`${inputSets.id} = ${setOf(executionId)}`);
      return row?.follows ?? null;
    },

    /** Returns the repository that the files come from, or null. */
    git: async (executionId: string): Promise<GitSource | null> => {
      const [row] = await db
        .select({ git: inputSets.git })
        .from(inputSets)
        .where(sql`${inputSets.id} = (SELECT input_set_id FROM executions WHERE id = ${executionId})`);
      return row?.git ?? null;
    },
  };
}

/** A file that a run began with. `text` is null where it is not text. */
export type BaseVersion = { bytes: Buffer; text: string | null; executable: boolean };

const versionColumns = ({ path, kind, text, content, executable }: typeof table | typeof replacedGitFiles) => ({
  ...{ path, kind, text, content, executable },
});

type VersionRow = Pick<typeof table.$inferSelect, 'kind' | 'text' | 'content' | 'executable'>;

/** Sets of earlier versions have only the hashes of binary files of repositories: those are empty here, and no tree has them. */
function toVersion({ kind, text: read, content, executable }: VersionRow): BaseVersion {
  const text = kind === 'text' ? read : null;
  return { bytes: content ?? Buffer.from(text ?? ''), text, executable };
}

/** Puts files that follow each other together, up to the bytes that are read at a time. */
function* batchesOf(files: readonly { path: string; bytes: number }[]): Generator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for (const { path, bytes } of files) {
    if (batch.length > 0 && size + bytes > readBytes) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(path);
    size += bytes;
  }
  if (batch.length > 0) yield batch;
}
