import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { countBytes, lockCanvas, lockRemoval, removeBatch, removeOrphans } from './remove-versions.ts';

/** The share of the limit to which a project's versions are reduced, so that not every save has to remove some. */
const trimmedShare = 0.75;

/** `stopped`: `signal` has aborted. `busy`: another process removes versions of the project. */
type TrimResult = 'trimmed' | 'stopped' | 'busy';

/**
 * Removes the oldest versions of a project that takes more than `maxBytes`, until the others take at most three quarters of it. Unmarked
 * versions and those marked before a run go first, then those marked by hand. Works in batches, between which saves go on.
 */
export async function trimVersions(db: Db, projectId: string, maxBytes: number, signal: AbortSignal): Promise<TrimResult> {
  const target = Math.floor(maxBytes * trimmedShare);
  const { rows } = await db.execute<{ newest: number }>(
    sql`SELECT canvas_version AS newest FROM projects WHERE id = ${projectId} AND versions_bytes > ${maxBytes}`,
  );
  if (!rows[0]) return 'trimmed';
  // Versions that are saved meanwhile do not count: they would cost marked ones their place. The save requests another removal.
  const tooMuch = sql`(SELECT version FROM (${sizes(projectId, rows[0].newest)}) AS kept WHERE bytes > ${target})`;
  const beyond = await db.execute<{ last: number | null }>(sql`SELECT max(version) AS last FROM ${tooMuch} AS beyond`);
  const last = beyond.rows[0]?.last ?? null;
  if (last === null) return 'trimmed';
  for (;;) {
    if (signal.aborted) return 'stopped';
    const result = await removeBatch(db, { projectId, last, isKept: isMarkedByHand, isTrim: true });
    if (result === 'busy') return 'busy';
    if (result === 'nothing left') break;
  }
  // The snapshots of versions that are marked by hand may still be too many. They are found before the canvas is locked.
  const marked = await db.execute<{ version: number }>(
    sql`SELECT version FROM canvas_changes WHERE project_id = ${projectId} AND patches IS NULL AND version IN ${tooMuch}`,
  );
  if (marked.rows.length > 0) {
    const versions = marked.rows.map(({ version }) => version);
    if (!(await db.transaction((tx) => removeSnapshots(tx, projectId, versions)))) return 'busy';
  }
  await correctBytes(db, projectId);
  return 'trimmed';
}

/** Removes versions of which only their snapshots are left. Returns false when another process removes some. */
async function removeSnapshots(tx: Db, projectId: string, versions: readonly number[]): Promise<boolean> {
  if (!(await lockRemoval(tx, projectId))) return false;
  await lockCanvas(tx, projectId);
  const { rows } = await tx.execute<{ bytes: string }>(sql`
    WITH gone AS (DELETE FROM canvas_changes WHERE project_id = ${projectId} AND patches IS NULL AND version = ANY(${sql.param(versions)}::integer[])
      RETURNING bytes) SELECT coalesce(sum(bytes), 0) AS bytes FROM gone`);
  await countBytes(tx, projectId, -Number(rows[0]?.bytes ?? 0) - (await removeOrphans(tx, projectId)));
  return true;
}

/**
 * Counts the bytes of a project anew: a process that was killed may have stored a snapshot that it did not count. What is missing is read by one
 * statement and added by another, so that no save waits meanwhile, and none is lost.
 */
async function correctBytes(db: Db, projectId: string): Promise<void> {
  const { rows } = await db.execute<{ missing: string }>(sql`SELECT
      (SELECT coalesce(sum(bytes), 0) FROM canvas_changes WHERE project_id = projects.id)
      + (SELECT coalesce(sum(bytes), 0) FROM canvas_snapshots WHERE project_id = projects.id) - versions_bytes AS missing
    FROM projects WHERE id = ${projectId}`);
  const missing = Number(rows[0]?.missing ?? 0);
  if (missing !== 0) await countBytes(db, projectId, missing);
}

/** Returns projects whose versions take more than they may. */
export async function oversizedProjects(db: Db, maxBytes: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM projects WHERE versions_bytes > ${maxBytes}`);
  return rows.map(({ id }) => id);
}

const isMarkedByHand = sql`EXISTS (SELECT FROM canvas_marks AS mark
  WHERE mark.project_id = change.project_id AND mark.version = change.version AND mark.kind = 'hand')`;

/** The versions of a project up to `newest`, each with the bytes of itself and all newer ones. */
function sizes(projectId: string, newest: number) {
  return sql`SELECT version, sum(bytes) OVER (ORDER BY version DESC) AS bytes FROM (
      SELECT version, bytes FROM canvas_changes WHERE project_id = ${projectId} AND version <= ${newest}
      UNION ALL SELECT version, bytes FROM canvas_snapshots WHERE project_id = ${projectId} AND version <= ${newest}) AS stored`;
}
