import type { Db } from '../../platform/database/database.ts';
import { and, asc, count, eq, sql } from '../../platform/database/drizzle.ts';
import type { Place } from '../../platform/database/statement.ts';
import type { PromptFiles } from '../../platform/llm/language-model.ts';
import { inputFiles, inputSets } from './tables.ts';

/**
 * The part of a run's files that goes into the prompt of each step: the names of the first 300, and the texts of at most 40. A text has at
 * most 16 KiB, all together 48 KiB; both are taken in the order of paths. Agents read the rest by tools.
 */
export const promptBudget = { names: 300, texts: 40, textBytes: 16 * 1024, bytes: 48 * 1024 };

type SetOfRun = { userId: string; projectId: string; setId: string };

/** What executions need of the files that users give to them. */
export function inputsOfRuns(db: Db) {
  const { setId, path, mime, kind, bytes, sha256, text, encoding, replaced } = inputFiles;
  return {
    /** Returns the set if it is the user's, in the project, and else null. `repository`: the address of the one that its files come from. */
    find: async ({ userId, projectId, setId: id }: SetOfRun): Promise<{ repository: string | null } | null> => {
      const own = and(eq(inputSets.id, id), eq(inputSets.userId, userId), eq(inputSets.projectId, projectId));
      const [set] = await db.select({ git: inputSets.git }).from(inputSets).where(own);
      return set ? { repository: set.git?.url ?? null } : null;
    },

    /** Returns the files of a set as every step of its runs is shown them. */
    forPrompt: async (id: string): Promise<PromptFiles> => {
      const listed = db
        .select({ path, mime, kind, bytes, encoding, replaced })
        .from(inputFiles)
        .where(eq(setId, id))
        .orderBy(asc(path))
        .limit(promptBudget.names);
      const shown = db
        .select({ path, sha256, text: sql<string>`${text}` })
        .from(inputFiles)
        .where(
          and(
            eq(setId, id),
            sql`${path} IN (SELECT path FROM (SELECT path, sum(octet_length(text)) OVER (ORDER BY path) AS total FROM (
              SELECT path, text FROM input_files WHERE set_id = ${id} AND octet_length(text) <= ${promptBudget.textBytes}
              ORDER BY path LIMIT ${promptBudget.texts}) AS small) AS running WHERE total <= ${promptBudget.bytes})`,
          ),
        )
        .orderBy(asc(path));
      const [files, texts, [all], [set]] = await Promise.all([
        listed,
        shown,
        db.select({ count: count() }).from(inputFiles).where(eq(setId, id)),
        db.select({ git: inputSets.git }).from(inputSets).where(eq(inputSets.id, id)),
      ]);
      return {
        files: files.map(toPromptFile),
        count: all?.count ?? 0,
        git: set?.git ?? null,
        texts,
      };
    },
  };
}

type ListedFile = Pick<typeof inputFiles.$inferSelect, 'path' | 'mime' | 'kind' | 'bytes' | 'encoding' | 'replaced'>;

function toPromptFile({ path, bytes, mime, kind, encoding, replaced }: ListedFile): PromptFiles['files'][number] {
  const file = { path, bytes, mime, isReadable: kind !== 'binary' };
  return encoding === null ? file : { ...file, encoding, replaced };
}

export type InputsOfRuns = ReturnType<typeof inputsOfRuns>;

/** Selects the set when it is the user's, in the project, and `source` has a row. From then on it does not change. */
export function sealInputSet({ setId, userId, projectId }: SetOfRun, source: string, place: Place): string {
  return `UPDATE input_sets SET sealed_at = coalesce(sealed_at, now()) FROM ${source} WHERE id = ${place(setId)}::uuid
    AND user_id = ${place(userId)}::uuid AND project_id = ${place(projectId)}::uuid RETURNING id`;
}
