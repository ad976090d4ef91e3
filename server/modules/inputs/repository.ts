import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { GitSource, InputFile } from '../../../contract/input.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ReadFile } from './read-input-file.ts';
import { inputFiles, inputSets, type LeftOutFile } from './tables.ts';

export type InputSetRow = typeof inputSets.$inferSelect;

/** More files that a set does not have are not kept. Those of a repository are fewer, and come first. */
const maxLeftOut = 4_000;

/** A file that is stored, without its content. */
export type StoredFile = { path: string; bytes: number; sha256: string; from: InputFile['from'] };

/** The sets of files that users give to runs. */
export function inputRepository(db: Db) {
  const { setId, path, mime, kind, source, bytes, sha256, text } = inputFiles;
  const own = (userId: string, id: string) => and(eq(inputSets.id, id), eq(inputSets.userId, userId));
  return {
    add: async (row: { id: string; userId: string; projectId: string }): Promise<InputSetRow> => {
      const [added] = await db.insert(inputSets).values(row).returning();
      return added as InputSetRow;
    },

    find: async (userId: string, id: string): Promise<InputSetRow | null> => {
      const [row] = await db.select().from(inputSets).where(own(userId, id));
      return row ?? null;
    },

    /** Returns a set and locks it until the end of the transaction. */
    lock: async (userId: string, id: string): Promise<InputSetRow | null> => {
      const [row] = await db.select().from(inputSets).where(own(userId, id)).for('update');
      return row ?? null;
    },

    /** Counts the sets of an account that no run has used, and the bytes of their files. */
    unsent: async (userId: string): Promise<{ sets: number; bytes: number }> => {
      const [row] = await db
        .select({
          sets: sql<number>`count(DISTINCT ${inputSets.id})::integer`,
          bytes: sql<string>`coalesce(sum(${bytes}), 0)`,
        })
        .from(inputSets)
        .leftJoin(inputFiles, eq(setId, inputSets.id))
        .where(and(eq(inputSets.userId, userId), isNull(inputSets.sealedAt)));
      return { sets: row?.sets ?? 0, bytes: Number(row?.bytes ?? 0) };
    },

    files: (id: string): Promise<InputFile[]> =>
      db.select({ path, mime, bytes, sha256, kind, from: source }).from(inputFiles).where(eq(setId, id)).orderBy(asc(path)),

    text: async (id: string, of: string): Promise<string | null> => {
      const [row] = await db
        .select({ text })
        .from(inputFiles)
        .where(and(eq(setId, id), eq(path, of)));
      return row?.text ?? null;
    },

    /** Stores files, in the place of those with the same paths. */
    put: async (id: string, from: InputFile['from'], files: readonly ReadFile[]): Promise<void> => {
      if (files.length === 0) return;
      const rows = files.map((file) => ({ ...file, setId: id, source: from }));
      const given = (name: string) => sql.raw(`excluded.${name}`);
      await db
        .insert(inputFiles)
        .values(rows)
        .onConflictDoUpdate({
          target: [setId, path],
          set: {
            ...{ mime: given('mime'), kind: given('kind'), source: given('source'), bytes: given('bytes'), sha256: given('sha256') },
            ...{ executable: given('executable'), content: given('content'), text: given('text') },
          },
        });
    },

    remove: async (id: string, of: string): Promise<void> => {
      await db.delete(inputFiles).where(and(eq(setId, id), eq(path, of)));
    },

    /** Keeps which files the set does not have; those that are known stay. */
    putLeftOut: async ({ id, leftOut }: InputSetRow, added: readonly LeftOutFile[]): Promise<void> => {
      if (added.length === 0) return;
      const all = new Map([...(leftOut ?? []), ...added].map((one) => [`${one.from} ${one.path}`, one]));
      const kept = [...all.values()].toSorted((one, other) => Number(other.from === 'git') - Number(one.from === 'git'));
      await db
        .update(inputSets)
        .set({ leftOut: kept.slice(0, maxLeftOut) })
        .where(eq(inputSets.id, id));
    },

    setGit: async (id: string, git: GitSource): Promise<void> => {
      await db.update(inputSets).set({ git }).where(eq(inputSets.id, id));
    },
  };
}
