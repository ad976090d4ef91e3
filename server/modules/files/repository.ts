import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, inArray, isNotNull, or, sql } from '../../platform/database/drizzle.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';
import { mapRows, recordset, type UniqueRows } from '../../platform/database/unique-rows.ts';
import type { FileChange } from './file-blocks.ts';
import { executionFiles } from './tables.ts';

/** A file in its latest version. */
type LatestFile = Omit<typeof executionFiles.$inferSelect, 'content' | 'executionId'> & { versions: number };

/** The latest version of a file with its text; null for a removed file, and for a moved one that is not text. */
export type ChangedFile = Pick<
  typeof executionFiles.$inferSelect,
  'path' | 'content' | 'removed' | 'movedFrom' | 'executable' | 'createdAt'
>;

type FileVersion = Pick<typeof executionFiles.$inferSelect, 'stepId' | 'createdAt' | 'content' | 'removed' | 'executable'>;
type Marks = Pick<ChangedFile, 'movedFrom' | 'executable'>;

/** The newest version of a file, with the step that made it. Its `content` is null where it is removed, or moved and not text. */
export type NewestFile = Omit<typeof executionFiles.$inferSelect, 'executionId' | 'path' | 'orderIndex' | 'createdAt'>;

/** A version of a file: its bytes that are stored with the execution, and whether the path has no file since its newest version. */
export type HeldFile = { path: string; size: number; isRemoved?: boolean; stepId?: string };

/** The files of executions. The executions module checks who may read them. */
export class FileRepository {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns paths and sizes of all versions. The bytes of a moved file that is not text are those of the base tree. */
  held(executionId: string): Promise<HeldFile[]> {
    const { path, stepId, orderIndex, removed, content, size: bytes } = executionFiles;
    const isRemoved = sql<boolean>`first_value(${removed}) OVER (PARTITION BY ${path} ORDER BY ${orderIndex} DESC)`;
    const size = sql<number>`CASE WHEN ${content} IS NULL THEN 0 ELSE ${bytes} END`;
    return this.#db.select({ path, stepId, size, isRemoved }).from(executionFiles).where(ofExecution(executionId));
  }

  /** Returns a text that changes with each version of a file that is stored for the execution. */
  async stamp(executionId: string): Promise<string> {
    const { orderIndex, createdAt } = executionFiles;
    const [row] = await this.#db
      .select({ stamp: sql<string>`concat_ws(' ', count(*), max(${orderIndex}), max(extract(epoch FROM ${createdAt})))` })
      .from(executionFiles)
      .where(ofExecution(executionId));
    return row?.stamp ?? '';
  }

  /** Returns the latest version of each file, by path, also of removed ones. */
  async latest(executionId: string): Promise<LatestFile[]> {
    const { path, stepId, orderIndex, size, language, removed, movedFrom, executable, createdAt } = executionFiles;
    const versions = sql<number>`count(*) OVER (PARTITION BY ${path})::integer`;
    const files = await this.#db
      .selectDistinctOn([path], { path, stepId, orderIndex, size, language, removed, movedFrom, executable, createdAt, versions })
      .from(executionFiles)
      .where(ofExecution(executionId))
      .orderBy(asc(path), desc(orderIndex));
    return marked(files, await this.#marks(executionId));
  }

  /** Returns the latest version of each file, by path, with its text. `paths`: only these. */
  async changes(executionId: string, paths?: readonly string[]): Promise<ChangedFile[]> {
    const { path, content, removed, movedFrom, executable, createdAt } = executionFiles;
    const files = await this.#db
      .selectDistinctOn([path], { path, content, removed, movedFrom, executable, createdAt })
      .from(executionFiles)
      .where(and(ofExecution(executionId), paths && inArray(path, [...paths])))
      .orderBy(asc(path), desc(executionFiles.orderIndex));
    return marked(files, await this.#marks(executionId));
  }

  /** Returns the text of the latest version of each file, by path: of those that have one. */
  async contents(executionId: string): Promise<{ path: string; content: string; createdAt: Date }[]> {
    const rows = await this.changes(executionId);
    return rows.flatMap(({ path, content, createdAt }) => (content === null ? [] : [{ path, content, createdAt }]));
  }

  /** Returns the newest version of a file, which may be its removal; null where no step has changed it. */
  async newest(executionId: string, path: string): Promise<NewestFile | null> {
    const { stepId, content, size, language, removed, movedFrom, executable } = executionFiles;
    const [row] = await this.#db
      .select({ stepId, content, size, language, removed, movedFrom, executable })
      .from(executionFiles)
      .where(and(ofExecution(executionId), eq(executionFiles.path, path)))
      .orderBy(desc(executionFiles.orderIndex))
      .limit(1);
    return row ?? null;
  }

  /** Returns the texts of all versions of a file, the newest first. */
  async texts(executionId: string, path: string): Promise<string[]> {
    const rows = await this.#db
      .select({ content: executionFiles.content })
      .from(executionFiles)
      .where(and(ofExecution(executionId), eq(executionFiles.path, path), isNotNull(executionFiles.content)))
      .orderBy(desc(executionFiles.orderIndex));
    return rows.flatMap(({ content }) => (content === null ? [] : [content]));
  }

  async content(executionId: string, path: string): Promise<string | null> {
    return (await this.newest(executionId, path))?.content ?? null;
  }

  /** Returns the newest two versions of a file, the latest first. */
  lastVersions(executionId: string, path: string): Promise<FileVersion[]> {
    const { content, removed, executable, stepId, createdAt } = executionFiles;
    return this.#db
      .select({ content, removed, executable, stepId, createdAt })
      .from(executionFiles)
      .where(and(ofExecution(executionId), eq(executionFiles.path, path)))
      .orderBy(desc(executionFiles.orderIndex))
      .limit(2);
  }

  /** Returns mode and earlier path that the versions of files have in all: a version without them keeps those of the version before. */
  async #marks(executionId: string): Promise<Map<string, Marks>> {
    const { path, removed, movedFrom, executable, orderIndex } = executionFiles;
    const rows = await this.#db
      .select({ path, removed, movedFrom, executable })
      .from(executionFiles)
      .where(and(ofExecution(executionId), or(removed, isNotNull(movedFrom), isNotNull(executable))))
      .orderBy(asc(orderIndex));
    const all = new Map<string, Marks>();
    for (const row of rows) {
      const before = all.get(row.path);
      const kept = { movedFrom: row.movedFrom ?? before?.movedFrom ?? null, executable: row.executable ?? before?.executable ?? null };
      // A file that is written after its removal is a new one.
      all.set(row.path, row.removed ? { movedFrom: null, executable: false } : kept);
    }
    return all;
  }
}

function ofExecution(id: string) {
  return eq(executionFiles.executionId, id);
}

function marked<File extends { path: string } & Marks>(files: readonly File[], known: ReadonlyMap<string, Marks>): File[] {
  return files.map((file) => ({ ...file, ...known.get(file.path) }));
}

/**
 * Stores a step's files, its newest text of each, when `changed`, which names the execution by its `id`, has a row: part of the step's own statement.
 * They are newer than the files of all other steps, also of those that a fork has from its original, whose numbers are from there.
 */
export function storingFiles(step: { stepId: string; orderIndex: number }, files: UniqueRows<FileChange>): SqlFragment {
  const shape = 'path text, content text, size integer, language text, removed boolean, moved_from text, executable boolean';
  const rows = mapRows(files, toRow);
  return (changed, place) => `INSERT INTO execution_files
      (execution_id, path, step_id, order_index, content, size, language, removed, moved_from, executable)
    SELECT ${changed}.id, file.path, ${place(step.stepId)}::uuid,
      greatest(${place(step.orderIndex)}::integer, (SELECT max(order_index) + 1 FROM execution_files AS others
        WHERE others.execution_id = ${changed}.id AND others.step_id <> ${place(step.stepId)}::uuid)), file.content, file.size, file.language,
      file.removed, file.moved_from, file.executable
    FROM ${changed}, ${recordset(rows, { name: 'file', shape, place })}
    ON CONFLICT (execution_id, path, step_id) DO UPDATE SET order_index = excluded.order_index, content = excluded.content, size = excluded.size,
      language = excluded.language, removed = excluded.removed, moved_from = ${keptUnlessRemoved('moved_from', 'NULL')},
      executable = ${keptUnlessRemoved('executable', 'false')}, created_at = now()`;
}

/**
 * A text in the answer of a step says nothing about what its tools did to the file before. One that follows a removal is a new file, as in Git: `fresh` is
 * its value where nothing is told, so that it does not take the mode of the file that was removed. C2.03
 */
function keptUnlessRemoved(column: string, fresh: string): string {
  const before = `CASE WHEN execution_files.removed THEN ${fresh} ELSE execution_files.${column} END`;
  return `CASE WHEN excluded.removed THEN NULL ELSE coalesce(excluded.${column}, ${before}) END`;
}

function toRow(file: FileChange) {
  if ('removed' in file) return { path: file.path, size: 0, removed: true };
  const { path, content, size, movedFrom: moved_from, executable } = file;
  return { path, content, size, language: 'language' in file ? file.language : null, removed: false, moved_from, executable };
}
