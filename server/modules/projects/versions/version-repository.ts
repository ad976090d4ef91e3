import type { CanvasDocument } from '../../../../contract/canvas.ts';
import type { CanvasMark, VersionComparison, VersionCounts } from '../../../../contract/canvas-version.ts';
import { writtenWords } from '../../../../rules/text/search-key.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, eq, sql } from '../../../platform/database/drizzle.ts';
import { canvasMarks } from '../tables.ts';
import type { ChangeRow } from './group-changes.ts';
import { appliedUpTo, type CanvasState, documentOf, revertedTo } from './state-at.ts';

type StoredMark = typeof canvasMarks.$inferSelect;

type StoredChange = {
  version: number;
  at: string | Date;
  author_id: string | null;
  author_name: string | null;
  client_id: string | null;
  counts: VersionCounts;
  titles: string[];
  is_bare: boolean;
  mark: { version: number; kind: CanvasMark['kind']; name: string; note: string; execution_id: string | null; at: string } | null;
};

/** The versions of canvases. The caller has checked whose project it is. */
export function versionRepository(db: Db) {
  return {
    /** Changes before a version, newest first, without their patches. With a text only those whose mark has it. */
    changes: async (
      projectId: string,
      { before, limit, search }: { before: number; limit: number; search: string },
    ): Promise<ChangeRow[]> => {
      const isFound = and(
        ...writtenWords(search).map((word) => sql`strpos(search_key(mark.name || E'\\n' || mark.note), search_key(${word})) > 0`),
      );
      const { rows } = await db.execute<StoredChange>(sql`
        SELECT change.version, change.at, users.id AS author_id, users.name AS author_name, client_id, counts, titles, patches IS NULL AS is_bare,
          to_jsonb(mark) AS mark
        FROM canvas_changes AS change
        LEFT JOIN canvas_marks AS mark ON mark.project_id = change.project_id AND mark.version = change.version
        LEFT JOIN users ON users.id = change.author
        WHERE change.project_id = ${projectId} AND change.version < ${before} AND ${isFound ?? sql`true`}
        ORDER BY change.version DESC LIMIT ${limit}`);
      return rows.map(changeOf);
    },

    mark: async (projectId: string, version: number): Promise<CanvasMark | null> => {
      const [row] = await db
        .select()
        .from(canvasMarks)
        .where(and(eq(canvasMarks.projectId, projectId), eq(canvasMarks.version, version)));
      return row ? markOf(row) : null;
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
      return markOf(row as StoredMark);
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

function changeOf(row: StoredChange): ChangeRow {
  const { version, at, author_id, author_name, client_id, counts, titles, is_bare, mark } = row;
  return {
    version,
    at: iso(at),
    clientId: client_id,
    counts,
    titles,
    isBare: is_bare,
    author: author_id === null ? null : { id: author_id, name: author_name ?? '' },
    mark: mark && markOf({ ...mark, executionId: mark.execution_id, at: new Date(mark.at) }),
  };
}

function markOf({ version, kind, name, note, executionId, at }: Omit<StoredMark, 'projectId'>): CanvasMark {
  return { version, kind, name, note, ...(executionId !== null && { executionId }), at: iso(at) };
}

function iso(at: Date | string): string {
  return new Date(at).toISOString();
}
