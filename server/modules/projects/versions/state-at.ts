import type { Db } from '../../../platform/database/database.ts';
import { type SQL, sql } from '../../../platform/database/drizzle.ts';
import { recordsOfStored } from './stored-patches.ts';

/** The versions of a canvas that can be read: every one from `floor` to `current`, and single ones before. */
export type KeptVersions = { floor: number; current: number };

/**
 * Returns which versions can be read. Changes below `floor` have no patches any more. A version that an earlier release of the server saved
 * has no change: then `floor` is that version. Null for a missing project. Reads three index entries, however many changes there are.
 */
export async function keptVersions(db: Db, projectId: string): Promise<KeptVersions | null> {
  const ofProject = sql`FROM canvas_changes WHERE project_id = projects.id AND patches IS NOT NULL`;
  const { rows } = await db.execute<{ current: number; floor: number }>(sql`
    SELECT canvas_version AS current, coalesce(greatest(
      (SELECT min(version) - 1 ${ofProject}),
      (SELECT max(version) - 1 ${ofProject} AND is_start),
      CASE WHEN NOT EXISTS (SELECT ${ofProject} AND version = canvas_version) THEN canvas_version END), canvas_version) AS floor
    FROM projects WHERE id = ${projectId}`);
  return rows[0] ?? null;
}

/** The records of a canvas at a version: rows of `collection`, `id`, `value`. */
export type CanvasState = SQL;

/** Returns the records of a version, or null when it is not kept any more. The nearest snapshot, or the canvas as it is, is the start. */
export async function stateAt(db: Db, projectId: string, version: number, { floor, current }: KeptVersions): Promise<CanvasState | null> {
  if (version > current) return null;
  const isExact = (at: number) => at === version;
  const { rows } = await db.execute<{ version: number }>(sql`
    (SELECT version FROM canvas_snapshots WHERE project_id = ${projectId} AND version >= ${version} AND version < ${current}
      ORDER BY version LIMIT 1)
    UNION ALL
    (SELECT version FROM canvas_snapshots WHERE project_id = ${projectId} AND version < ${version} ORDER BY version DESC LIMIT 1)`);
  const snapshots = rows.map((row) => row.version);
  if (snapshots.some(isExact)) return stateOfSnapshot(projectId, version);
  if (version < floor) return null;
  const starts = [current, ...snapshots.filter((at) => at >= floor)];
  const start = starts.reduce((best, at) => (Math.abs(at - version) < Math.abs(best - version) ? at : best));
  const base = start === current ? stateNow(projectId) : stateOfSnapshot(projectId, start);
  if (start === version) return base;
  const patches = start > version ? revertedTo(projectId, version, start) : appliedUpTo(projectId, start, version);
  return sql`SELECT coalesce(change.collection, base.collection) AS collection, coalesce(change.id, base.id) AS id,
      CASE WHEN change.id IS NULL THEN base.value ELSE change.value END AS value
    FROM (${base}) AS base FULL JOIN (${patches}) AS change ON change.collection = base.collection AND change.id = base.id
    WHERE change.id IS NULL OR change.value IS NOT NULL`;
}

/** The values before these changes of all records that they touch; null where there was none. */
export function revertedTo(projectId: string, version: number, from: number): SQL {
  return sql`SELECT DISTINCT ON (one.collection, one.id) one.collection, one.id, one.value
    FROM canvas_changes, ${recordsOfStored(sql`inverse`)}
    WHERE project_id = ${projectId} AND version > ${version} AND version <= ${from} ORDER BY one.collection, one.id, version`;
}

/** The values after these changes of all records that they touch; null where there is none. */
export function appliedUpTo(projectId: string, from: number, version: number): SQL {
  return sql`SELECT DISTINCT ON (one.collection, one.id) one.collection, one.id, one.value
    FROM canvas_changes, ${recordsOfStored(sql`patches`)}
    WHERE project_id = ${projectId} AND version > ${from} AND version <= ${version} ORDER BY one.collection, one.id, version DESC`;
}

/** The canvas as it is. */
export function stateNow(projectId: string): CanvasState {
  return sql`SELECT 'nodes' AS collection, id, value FROM canvas_nodes WHERE project_id = ${projectId}
    UNION ALL SELECT 'connections', id, value FROM canvas_connections WHERE project_id = ${projectId}`;
}

function stateOfSnapshot(projectId: string, version: number): CanvasState {
  return sql`SELECT part.key AS collection, one.key AS id, one.value FROM canvas_snapshots, jsonb_each(document) AS part, jsonb_each(part.value) AS one
    WHERE project_id = ${projectId} AND version = ${version}`;
}

/** The document of these records as one JSON value. */
export function documentOf(state: CanvasState): SQL {
  return sql`SELECT jsonb_build_object(
      'nodes', coalesce(jsonb_object_agg(id, value) FILTER (WHERE collection = 'nodes'), '{}'),
      'connections', coalesce(jsonb_object_agg(id, value) FILTER (WHERE collection = 'connections'), '{}')) AS document
    FROM (${state}) AS record`;
}
