import type { Db } from '../../platform/database/database.ts';
import { and, asc, desc, eq, sql } from '../../platform/database/drizzle.ts';
import type { SqlFragment } from '../../platform/database/statement.ts';
import { recordset, type UniqueRows } from '../../platform/database/unique-rows.ts';
import type { FileBlock } from './file-blocks.ts';
import { executionFiles } from './tables.ts';

/** A file in its latest version. */
type LatestFile = Omit<typeof executionFiles.$inferSelect, 'content' | 'executionId'> & { versions: number };

type FileVersion = Pick<typeof executionFiles.$inferSelect, 'content' | 'stepId' | 'createdAt'>;

/** The files of executions. The executions module checks who may read them. */
export function fileRepository(db: Db) {
  const ofExecution = (id: string) => eq(executionFiles.executionId, id);
  return {
    /** Returns paths and sizes of all versions. */
    held: (executionId: string): Promise<{ path: string; size: number }[]> =>
      db.select({ path: executionFiles.path, size: executionFiles.size }).from(executionFiles).where(ofExecution(executionId)),

    /** Returns the latest version of each file, by path. */
    latest: (executionId: string): Promise<LatestFile[]> => {
      const { path, stepId, orderIndex, size, language, createdAt } = executionFiles;
      const versions = sql<number>`count(*) OVER (PARTITION BY ${path})::integer`;
      return db
        .selectDistinctOn([path], { path, stepId, orderIndex, size, language, createdAt, versions })
        .from(executionFiles)
        .where(ofExecution(executionId))
        .orderBy(asc(path), desc(orderIndex));
    },

    /** Returns the text of the latest version of each file, by path. */
    contents: (executionId: string): Promise<{ path: string; content: string; createdAt: Date }[]> => {
      const { path, content, createdAt } = executionFiles;
      return db
        .selectDistinctOn([path], { path, content, createdAt })
        .from(executionFiles)
        .where(ofExecution(executionId))
        .orderBy(asc(path), desc(executionFiles.orderIndex));
    },

    content: async (executionId: string, path: string): Promise<string | null> => {
      const [row] = await db
        .select({ content: executionFiles.content })
        .from(executionFiles)
        .where(and(ofExecution(executionId), eq(executionFiles.path, path)))
        .orderBy(desc(executionFiles.orderIndex))
        .limit(1);
      return row?.content ?? null;
    },

    /** Returns the newest two versions of a file, the latest first. */
    lastVersions: (executionId: string, path: string): Promise<FileVersion[]> => {
      const { content, stepId, createdAt } = executionFiles;
      return db
        .select({ content, stepId, createdAt })
        .from(executionFiles)
        .where(and(ofExecution(executionId), eq(executionFiles.path, path)))
        .orderBy(desc(executionFiles.orderIndex))
        .limit(2);
    },
  };
}

/** Stores a step's files, its newest text of each, when `changed`, which names the execution by its `id`, has a row: part of the step's own statement. */
export function storingFiles(step: { stepId: string; orderIndex: number }, files: UniqueRows<FileBlock>): SqlFragment {
  const shape = 'path text, content text, size integer, language text';
  return (changed, place) => `INSERT INTO execution_files (execution_id, path, step_id, order_index, content, size, language)
    SELECT ${changed}.id, file.path, ${place(step.stepId)}::uuid, ${place(step.orderIndex)}::integer, file.content, file.size, file.language
    FROM ${changed}, ${recordset(files, { name: 'file', shape, place })}
    ON CONFLICT (execution_id, path, step_id) DO UPDATE SET order_index = excluded.order_index, content = excluded.content, size = excluded.size,
      language = excluded.language, created_at = now()`;
}
