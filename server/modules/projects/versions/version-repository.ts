import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { type CanvasMark, canvasMark, type VersionComparison } from '../../../../contract/canvas-version.ts';
import { writtenWords } from '../../../../rules/text/search-key.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, desc, eq, lt, sql } from '../../../platform/database/drizzle.ts';
import { viewOf } from '../../../platform/database/view-of.ts';
import { canvasChanges, canvasMarks } from '../tables.ts';
import type { ChangeRow } from './group-changes.ts';
import { appliedUpTo, type CanvasState, documentOf, revertedTo } from './state-at.ts';

type StoredMark = typeof canvasMarks.$inferSelect;

/** The versions of canvases. The caller has checked whose project it is. */
export function versionRepository(db: Db) {
  return {
    /** Changes before a version, newest first, without their patches. With a text only those whose mark has it. */
    changes: async (
      projectId: string,
      { before, limit, search }: { before: number; limit: number; search: string },
    ): Promise<ChangeRow[]> => {
      const { version, at, clientId, counts, titles } = canvasChanges;
      const author = sql<
        ChangeRow['author']
      >`CASE WHEN users.id IS NOT NULL THEN json_build_object('id', users.id, 'name', users.name) END`;
      const isBare = sql<boolean>`${canvasChanges.patches} IS NULL`;
      const rows = await db
        .select({ version, at, clientId, counts, titles, author, isBare, mark: canvasMarks })
        .from(canvasChanges)
        .leftJoin(canvasMarks, and(eq(canvasMarks.projectId, canvasChanges.projectId), eq(canvasMarks.version, version)))
        .leftJoin(sql`users`, sql`users.id = ${canvasChanges.author}`)
        .where(and(eq(canvasChanges.projectId, projectId), lt(version, before), ...writtenWords(search).map(isInMark)))
        .orderBy(desc(version))
        .limit(limit);
      return rows.map(({ mark, ...row }) => ({ ...row, at: row.at.toISOString(), mark: mark && showMark(mark) }));
    },

    mark: async (projectId: string, version: number): Promise<CanvasMark | null> => {
      const [row] = await db
        .select()
        .from(canvasMarks)
        .where(and(eq(canvasMarks.projectId, projectId), eq(canvasMarks.version, version)));
      return row ? showMark(row) : null;
    },

    handMarks: async (projectId: string): Promise<number> => {
      return db.$count(canvasMarks, and(eq(canvasMarks.projectId, projectId), eq(canvasMarks.kind, 'hand')));
    },

    /** Marks a version by hand, or renames its mark. */
    putMark: async (projectId: string, version: number, { name, note }: { name: string; note: string }): Promise<CanvasMark> => {
      const [row] = await db
        .insert(canvasMarks)
        .values({ projectId, version, kind: 'hand', name, note })
        .onConflictDoUpdate({ target: [canvasMarks.projectId, canvasMarks.version], set: { kind: 'hand', name, note } })
        .returning();
      return showMark(row as StoredMark);
    },

    removeMark: async (projectId: string, version: number): Promise<boolean> => {
      const { rowCount } = await db.delete(canvasMarks).where(and(eq(canvasMarks.projectId, projectId), eq(canvasMarks.version, version)));
      return (rowCount ?? 0) > 0;
    },

    document: async (state: CanvasState): Promise<CanvasDocument> => {
      const { rows } = await db.execute<{ document: CanvasDocument }>(documentOf(state));
      return rows[0]?.document ?? { nodes: {}, connections: {} };
    },

    /** The records that differ between two versions, from the changes between them. */
    differencesBetween: (projectId: string, left: number, right: number) =>
      differences(
        db,
        sql`SELECT before.collection, before.id, before.value AS "left", after.value AS "right"
        FROM (${revertedTo(projectId, left, right)}) AS before
        JOIN (${appliedUpTo(projectId, left, right)}) AS after ON after.collection = before.collection AND after.id = before.id`,
      ),

    /** The records that differ between two canvases. */
    differencesOf: (left: CanvasState, right: CanvasState) =>
      differences(
        db,
        sql`SELECT coalesce(before.collection, after.collection) AS collection, coalesce(before.id, after.id) AS id,
          before.value AS "left", after.value AS "right"
        FROM (${left}) AS before FULL JOIN (${right}) AS after ON after.collection = before.collection AND after.id = before.id`,
      ),
  };
}

type Differences = Pick<VersionComparison, 'nodes' | 'connections'>;

/** `pairs`: rows of `collection`, `id`, `left` and `right`. */
async function differences(db: Db, pairs: CanvasState): Promise<Differences> {
  const { rows } = await db.execute<{ collection: keyof Differences; records: never[] }>(sql`
    SELECT collection, json_agg(CASE
        WHEN "left" IS NULL THEN json_build_object('id', id, 'right', "right")
        WHEN "right" IS NULL THEN json_build_object('id', id, 'left', "left")
        ELSE json_build_object('id', id, 'left', "left", 'right', "right") END ORDER BY id) AS records
    FROM (${pairs}) AS pair WHERE "left" IS DISTINCT FROM "right" GROUP BY collection`);
  const of = (collection: keyof Differences) => rows.find((row) => row.collection === collection)?.records ?? [];
  return { nodes: of('nodes'), connections: of('connections') };
}

const showMark = viewOf(canvasMark);

const isInMark = (word: string) => sql`strpos(search_key(${canvasMarks.name} || E'\\n' || ${canvasMarks.note}), search_key(${word})) > 0`;
