import type { GitSource, InputFile } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, asc, eq, isNotNull, ne, type SQL, sql } from '../../platform/database/drizzle.ts';
import type { BaseFile, TreeListing } from '../../platform/git/git-messages.ts';
import type { BasePath } from '../files/index.ts';
import { maxBelow } from './bases/base-neighbours.ts';
import { keyOf, keyStart } from './bases/key-start.ts';
import { type EncodedVersion, encodeWritten } from './encoded-files.ts';
import { type FollowedRun, inputSets, type LeftOutFile, replacedGitFiles, filesOfSets as table } from './tables.ts';
import { storedLeftOut, takenPaths } from './taken-paths.ts';

/** Bytes of files that are read at a time, but for a larger one. */
const readBytes = 4 * 1024 * 1024;
/** The most files of a base that are named as left out. */
const maxLeftOut = 4_000;

const { setId, path, mime, kind, source, bytes, sha256, text, encoding, replaced } = table;
const listed = { path, mime, bytes, sha256, kind, encoding, replaced, from: source };

/** The files that a user gave to an execution: its base tree. The caller has checked who may read them. */
export class InputFiles {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  leftOut(executionId: string, paths?: readonly string[]): Promise<LeftOutFile[]> {
    return this.#ofSet<LeftOutFile[]>(executionId, [], (id) => this.#leftOutOf(id, paths));
  }

  /** Returns these files as bytes, where they replace files that are not plain UTF-8. */
  encoded(executionId: string, written: readonly { path: string; content: string }[]): Promise<Map<string, EncodedVersion>> {
    return this.#ofSet(executionId, new Map(), (id) => encodeWritten(this.#db, id, written));
  }

  /** Returns these files of the set, with their bytes. */
  given(executionId: string, paths: readonly string[]): Promise<Map<string, BaseVersion>> {
    return this.#ofSet(executionId, new Map(), (id) => this.#givenOf(id, paths));
  }

  /**
   * Returns what these paths have for a patch and a commit. Where a user has replaced or removed a file of the repository it is the
   * repository's.
   */
  originals(executionId: string, paths: readonly string[]): Promise<Map<string, BaseVersion>> {
    return this.#ofSet(executionId, new Map(), async (id) => {
      if (paths.length === 0) return new Map();
      const rows = await this.#db
        .select(versionColumns(replacedGitFiles))
        .from(replacedGitFiles)
        .where(and(eq(replacedGitFiles.setId, id), isAnyOf(replacedGitFiles.path, paths)));
      return new Map([...(await this.#givenOf(id, paths)), ...rows.map((row) => [row.path, toVersion(row)] as const)]);
    });
  }

  /**
   * Returns the paths that are taken beside `written` and `others`, also by files that were left out. What the repository has decides about a path:
   * a commit and a patch meet it there. A second spelling of a path is left out for the first one, which stays.
   */
  paths(executionId: string, written: readonly { path: string; content: string }[], others: readonly string[] = []): Promise<BasePath[]> {
    return this.#ofSet<BasePath[]>(executionId, [], (id) => takenPaths(this.#db, id, written, others));
  }

  /** Returns all files by path; none for an execution without a set. `folder`: only those below it, which ends with a slash. */
  list(executionId: string, folder = ''): Promise<InputFile[]> {
    return this.#ofSet<InputFile[]>(executionId, [], (id) =>
      this.#db
        .select(listed)
        .from(table)
        .where(and(eq(setId, id), folder === '' ? undefined : isBelow(path, folder)))
        .orderBy(asc(path)),
    );
  }

  executables(executionId: string, paths: readonly string[]): Promise<string[]> {
    return this.#ofSet<string[]>(executionId, [], (id) => this.#pathsWhere(id, paths, eq(table.executable, true)));
  }

  /** Returns the files at these paths, and those whose paths have the same characters in another normal form. */
  at(executionId: string, paths: readonly string[]): Promise<InputFile[]> {
    return this.#ofSet<InputFile[]>(executionId, [], async (id) => {
      const others = paths.filter((one) => !isAscii(one));
      const isSpelledSo = sql`${keyStart(keyOf(path))} = ANY(ARRAY(SELECT ${keyStart(keyOf(sql.raw('one')))} FROM unnest(${sql.param(others)}::text[]) AS one))`;
      const read = (condition: SQL) =>
        this.#db
          .select(listed)
          .from(table)
          .where(and(eq(setId, id), condition))
          .orderBy(asc(path));
      const found = [...(await read(isAnyOf(path, paths))), ...(others.length > 0 ? await read(isSpelledSo) : [])];
      const forms = new Set(paths.map((one) => one.normalize('NFC')));
      const byPath = new Map(found.map((one) => [one.path, one]));
      return [...byPath.values()].filter((one) => forms.has(one.path.normalize('NFC')));
    });
  }

  /** Returns the first paths below a folder, which ends with a slash. */
  below(executionId: string, folder: string): Promise<string[]> {
    return this.#ofSet<string[]>(executionId, [], async (id) => {
      const rows = await this.#db
        .select({ path })
        .from(table)
        .where(and(eq(setId, id), isBelow(path, folder)))
        .limit(maxBelow);
      return rows.map((row) => row.path);
    });
  }

  /** Returns the bytes of all files together. */
  bytes(executionId: string): Promise<number> {
    return this.#ofSet(executionId, 0, async (id) => {
      const [row] = await this.#db
        .select({ all: sql<string>`coalesce(sum(${bytes}), 0)` })
        .from(table)
        .where(eq(setId, id));
      return Number(row?.all ?? 0);
    });
  }

  /** Returns the text of a file, or of a PDF; null for a binary or unknown one. A path in another normal form means the same file. */
  text(executionId: string, of: string): Promise<{ text: string; sha256: string } | null> {
    return this.#ofSet<{ text: string; sha256: string } | null>(executionId, null, async (id) => {
      const read = async (condition: SQL) =>
        (
          await this.#db
            .select({ text, sha256 })
            .from(table)
            .where(and(eq(setId, id), condition))
        )[0];
      const isSpelledSo = sql`${keyStart(keyOf(path))} = ${keyStart(keyOf(of))} AND normalize(${path}) = ${of.normalize('NFC')}`;
      const row = (await read(eq(path, of))) ?? (isAscii(of) ? undefined : await read(isSpelledSo));
      return row && row.text !== null ? { text: row.text, sha256: row.sha256 } : null;
    });
  }

  /** Returns which of these paths the base tree has. */
  async has(executionId: string, paths: readonly string[]): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    return this.#ofSet(executionId, new Set(), async (id) => new Set(await this.#pathsWhere(id, paths)));
  }

  /** Returns which of these paths were uploaded, and are not in the repository. */
  async uploaded(executionId: string, paths: readonly string[]): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    return this.#ofSet(executionId, new Set(), async (id) => {
      const [found, behind] = [await this.#pathsWhere(id, paths, ne(source, 'git')), await this.#replacedTexts(id, paths)];
      return new Set(found.filter((one) => !behind.has(one)));
    });
  }

  /** Returns which of these paths the repository of the base tree has, also where a user has replaced or removed its file. */
  async ofRepository(executionId: string, paths: readonly string[]): Promise<Set<string>> {
    if (paths.length === 0) return new Set();
    return this.#ofSet(
      executionId,
      new Set(),
      async (id) => new Set([...(await this.#pathsWhere(id, paths, eq(source, 'git'))), ...(await this.#replacedTexts(id, paths)).keys()]),
    );
  }

  /**
   * Returns the texts of those of these paths that are text files themselves, byte for byte. Where a user has replaced or removed a file of the
   * repository it is the repository's: a patch and a commit are against that one.
   */
  async texts(executionId: string, paths: readonly string[]): Promise<Map<string, string>> {
    if (paths.length === 0) return new Map();
    return this.#ofSet(executionId, new Map<string, string>(), async (id) => {
      const rows = await this.#db
        .select({ path, text })
        .from(table)
        .where(and(eq(setId, id), eq(kind, 'text'), isNotNull(text), isAnyOf(path, paths)));
      const given = rows.flatMap(({ path: of, text: own }) => (own === null ? [] : [[of, own] as const]));
      return new Map([...given, ...(await this.#replacedTexts(id, paths))]);
    });
  }

  /** Returns all files whose bytes are kept. Sets of earlier versions have only the hashes of binary files of repositories. */
  contents(executionId: string): Promise<BaseFile[]> {
    return this.#ofSet<BaseFile[]>(executionId, [], async (id) => {
      const rows = await this.#db
        .select({ path, kind, text, content: table.content, isExecutable: table.executable })
        .from(table)
        .where(eq(setId, id))
        .orderBy(asc(path));
      return rows.flatMap(({ kind: of, text: own, content, ...file }) => {
        if (content !== null) return [{ ...file, content }];
        return of === 'text' && own !== null ? [{ ...file, content: Buffer.from(own) }] : [];
      });
    });
  }

  /** Reads the texts of all files by path, those of PDFs too, a few at a time: together they may be as large as a set. */
  async *readTexts(executionId: string): AsyncGenerator<{ path: string; text: string }> {
    const id = await this.#ofSet<string | null>(executionId, null, async (one) => one);
    if (id === null) return;
    const sizes = await this.#db
      .select({ path, bytes })
      .from(table)
      .where(and(eq(setId, id), sql`${kind} NOT IN ('binary', 'image')`))
      .orderBy(asc(path));
    for (const paths of batchesOf(sizes)) {
      yield* await this.#db
        .select({ path, text: sql<string>`${text}` })
        .from(table)
        .where(and(eq(setId, id), isNotNull(text), isAnyOf(path, paths)))
        .orderBy(asc(path));
    }
  }

  /** Returns the published run whose branch the files come from, or null. */
  follows(executionId: string): Promise<FollowedRun | null> {
    return this.#ofSet<FollowedRun | null>(executionId, null, async (id) => (await this.#originOf(id))?.follows ?? null);
  }

  /** Returns the repository that the files come from, or null. */
  git(executionId: string): Promise<GitSource | null> {
    return this.#ofSet<GitSource | null>(executionId, null, async (id) => (await this.#originOf(id))?.git ?? null);
  }

  /** Lists all files of the repository that the files come from, with those that are no files of a run; null for none. */
  origin(executionId: string): Promise<TreeListing | null> {
    return this.#ofSet<TreeListing | null>(executionId, null, async (id) => {
      const { rows } = await this.#db.execute<{ path: string; oid: string | null }>(sql`SELECT files.path, files.oid FROM input_sets AS sets
          JOIN git_base_files AS files ON files.base_id = sets.base_id WHERE sets.id = ${id}`);
      return rows.length === 0 ? null : { files: rows, paths: (await this.#originOf(id))?.git?.paths ?? [] };
    });
  }

  async #originOf(id: string) {
    const [row] = await this.#db.select({ git: inputSets.git, follows: inputSets.follows }).from(inputSets).where(eq(inputSets.id, id));
    return row;
  }

  /** Runs work with the set of an execution. Without one it returns `none`. */
  async #ofSet<T>(executionId: string, none: T, work: (id: string) => Promise<T>): Promise<T> {
    const { rows } = await this.#db.execute<{ id: string | null }>(
      sql`SELECT input_set_id AS id FROM executions WHERE id = ${executionId}`,
    );
    const id = rows[0]?.id ?? null;
    return id === null ? none : work(id);
  }

  /** Returns what the set does not have, the first of its repository by path. `paths`: only these. */
  async #leftOutOf(id: string, paths?: readonly string[]): Promise<LeftOutFile[]> {
    const { rows } = await this.#db.execute<Omit<LeftOutFile, 'from'>>(sql`SELECT files.path, files.reason FROM input_sets AS sets
      JOIN git_base_files AS files ON files.base_id = sets.base_id WHERE sets.id = ${id} AND files.reason IS NOT NULL
      ${paths ? sql`AND files.path = ANY(${sql.param([...paths])}::text[])` : sql``} ORDER BY files.path LIMIT ${maxLeftOut}::integer`);
    const stored = (await storedLeftOut(this.#db, id)).filter((one) => !paths || paths.includes(one.path));
    return [...rows.map((one) => ({ ...one, from: 'git' as const })), ...stored];
  }

  /** Returns the repository's versions of those of these paths that a user has replaced or removed; empty for what is not text. */
  async #replacedTexts(id: string, paths: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.#db
      .select({ path: replacedGitFiles.path, text: replacedGitFiles.text })
      .from(replacedGitFiles)
      .where(and(eq(replacedGitFiles.setId, id), isAnyOf(replacedGitFiles.path, paths)));
    return new Map(rows.map((row) => [row.path, row.text ?? '']));
  }

  async #pathsWhere(id: string, paths: readonly string[], condition?: SQL): Promise<string[]> {
    const rows = await this.#db
      .select({ path })
      .from(table)
      .where(and(eq(setId, id), condition, isAnyOf(path, paths)));
    return rows.map((row) => row.path);
  }

  async #givenOf(id: string, paths: readonly string[]): Promise<Map<string, BaseVersion>> {
    if (paths.length === 0) return new Map();
    const rows = await this.#db
      .select(versionColumns(table))
      .from(table)
      .where(and(eq(setId, id), isAnyOf(path, paths)));
    return new Map(rows.map((row) => [row.path, toVersion(row)]));
  }
}

function isAnyOf(column: typeof path | typeof replacedGitFiles.path, paths: readonly string[]) {
  return sql`${column} = ANY(${sql.param([...paths])}::text[])`;
}

/** Whether a path is below a folder, which ends with a slash: by the bytes of the path, as its index has it. */
function isBelow(path: typeof table.path, folder: string): SQL {
  return sql`${path} COLLATE "C" > ${folder} AND ${path} COLLATE "C" < ${`${folder.slice(0, -1)}0`}`;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** A file that a run began with. `text` is null where it is not text. */
export type BaseVersion = { bytes: Buffer; text: string | null; executable: boolean };

const versionColumns = ({ path, kind, text, content, executable }: typeof table | typeof replacedGitFiles) => ({
  path,
  kind,
  text,
  content,
  executable,
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
