import { sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import { storeSnapshot } from './snapshots.ts';
import { keptVersions, stateAt } from './state-at.ts';
import { rowBytes } from './write-change.ts';

/** The share of the limit to which a project's versions are reduced, so that not every save has to remove some. */
const trimmedShare = 0.75;
/** Old changes that one transaction removes: few, so that saves wait only briefly. */
export const changesPerBatch = 100;

/**
 * Removes the oldest versions of a project until the others take at most three quarters of `maxBytes`: first unmarked ones and those marked
 * before a run, then those marked by hand. Call it with the canvas locked.
 */
export async function trimVersions(db: Db, projectId: string, maxBytes: number): Promise<void> {
  const target = Math.floor(maxBytes * trimmedShare);
  const { rows } = await db.execute<{ version: number }>(sql`
    SELECT max(version) AS version FROM (${sizes(projectId)}) AS kept WHERE bytes > ${target}`);
  const last = rows[0]?.version;
  if (last === undefined || last === null) return;
  await keepOnly(
    db,
    projectId,
    last,
    sql`EXISTS (SELECT FROM canvas_marks AS mark
    WHERE mark.project_id = change.project_id AND mark.version = change.version AND mark.kind = 'hand')`,
  );
  // The snapshots of versions that are marked by hand may still be too many.
  await db.execute(sql`DELETE FROM canvas_changes AS change USING (${sizes(projectId)}) AS kept
    WHERE change.project_id = ${projectId} AND change.version = kept.version AND patches IS NULL AND kept.bytes > ${target}`);
  await forgetRemoved(db, projectId);
  await db.execute(sql`UPDATE projects SET versions_trimmed = greatest(versions_trimmed, ${last}) WHERE id = ${projectId}`);
}

/** The versions of a project, each with the bytes of itself and all newer ones. */
function sizes(projectId: string) {
  return sql`SELECT version, sum(bytes) OVER (ORDER BY version DESC) AS bytes FROM (
      SELECT version, bytes FROM canvas_changes WHERE project_id = ${projectId}
      UNION ALL SELECT version, bytes FROM canvas_snapshots WHERE project_id = ${projectId}) AS stored`;
}

/**
 * Thins the changes of one project that were saved before `before`: keeps marked versions and the last one of each day (UTC), as snapshots.
 * Leaves out projects that another transaction uses. Returns whether there may be more to remove.
 */
export async function thinVersions(db: Db, before: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string; version: number }>(sql`
      SELECT projects.id, canvas_version AS version FROM projects
      WHERE EXISTS (SELECT FROM canvas_changes AS change
        WHERE project_id = projects.id AND patches IS NOT NULL AND at < ${before} AND version < canvas_version)
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`);
    const project = rows[0];
    if (!project) return false;
    const { rows: oldest } = await tx.execute<{ version: number | null }>(sql`
      SELECT max(version) AS version FROM (
        SELECT version FROM canvas_changes
        WHERE project_id = ${project.id} AND patches IS NOT NULL AND at < ${before} AND version < ${project.version}
        ORDER BY version LIMIT ${changesPerBatch}) AS batch`);
    const last = oldest[0]?.version;
    if (last === undefined || last === null) return false;
    await keepOnly(
      tx,
      project.id,
      last,
      sql`(EXISTS (SELECT FROM canvas_marks AS mark WHERE mark.project_id = change.project_id AND mark.version = change.version)
      OR ${isLastOfDay})`,
    );
    await forgetRemoved(tx, project.id);
    return true;
  });
}

/** Removes a version whose mark was removed, if only its snapshot was kept and it is not the last of its day. */
export async function dropUnmarked(db: Db, projectId: string, version: number): Promise<void> {
  const { rowCount } = await db.execute(sql`DELETE FROM canvas_changes AS change
    WHERE project_id = ${projectId} AND version = ${version} AND patches IS NULL AND NOT ${isLastOfDay}`);
  if (rowCount) await forgetRemoved(db, projectId);
}

const isLastOfDay = sql`NOT EXISTS (SELECT FROM canvas_changes AS later WHERE later.project_id = change.project_id AND later.version > change.version
  AND (later.at AT TIME ZONE 'UTC')::date = (change.at AT TIME ZONE 'UTC')::date)`;

/** Removes the changes up to `last`. Those that `isKept` (of `change`) keep their row, with a snapshot in place of their patches. */
async function keepOnly(db: Db, projectId: string, last: number, isKept: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await db.execute<{ version: number }>(sql`
    SELECT version FROM canvas_changes AS change WHERE project_id = ${projectId} AND version <= ${last} AND patches IS NOT NULL AND ${isKept}`);
  const kept = await keptVersions(db, projectId);
  if (!kept) return;
  for (const { version } of rows) {
    const state = await stateAt(db, projectId, version, kept);
    if (state) await storeSnapshot(db, projectId, version, state);
  }
  const versions = JSON.stringify(rows.map(({ version }) => version));
  await db.execute(sql`UPDATE canvas_changes SET patches = NULL, inverse = NULL, bytes = ${rowBytes}
    WHERE project_id = ${projectId} AND version IN (SELECT one::integer FROM jsonb_array_elements_text(${versions}::jsonb) AS one)`);
  await db.execute(sql`DELETE FROM canvas_changes WHERE project_id = ${projectId} AND version <= ${last} AND patches IS NOT NULL`);
}

/** Removes snapshots and marks of removed versions, and counts the bytes of what is left. */
async function forgetRemoved(db: Db, projectId: string): Promise<void> {
  const kept = await keptVersions(db, projectId);
  if (!kept) return;
  const isGone = (table: 'canvas_snapshots' | 'canvas_marks') => sql`DELETE FROM ${sql.raw(table)} AS one
    WHERE project_id = ${projectId} AND version < ${kept.floor}
      AND NOT EXISTS (SELECT FROM canvas_changes WHERE project_id = one.project_id AND version = one.version)`;
  await db.execute(isGone('canvas_snapshots'));
  await db.execute(isGone('canvas_marks'));
  await db.execute(sql`UPDATE projects SET versions_bytes =
      (SELECT coalesce(sum(bytes), 0) FROM canvas_changes WHERE project_id = projects.id)
      + (SELECT coalesce(sum(bytes), 0) FROM canvas_snapshots WHERE project_id = projects.id)
    WHERE id = ${projectId}`);
}
