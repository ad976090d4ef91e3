import type { Db } from '../../../platform/database/database.ts';
import { type SQL, sql } from '../../../platform/database/drizzle.ts';
import { storeSnapshot } from './snapshots.ts';
import { keptVersions, stateAt } from './state-at.ts';
import { rowBytes } from './write-change.ts';

/** The most old changes, their bytes and the most rebuilt snapshots of one batch: few, so that saves wait only briefly for its locks. */
const batchLimits = { changes: 500, bytes: 16 * 1_024 * 1_024, snapshots: 3 } as const;

/** Which changes of a project go: those up to `last`. Those that `isKept` (of `change`) keep their row, with a snapshot in place of their patches. */
type Removal = {
  projectId: string;
  last: number;
  isKept: SQL;
  /** The versions go because they take too much, which the list of versions says. */
  isTrim: boolean;
};

/** `busy`: another process removes versions of the project. */
type BatchResult = 'removed' | 'nothing left' | 'busy';

/**
 * Removes the oldest changes of a removal, as many as one batch may. Snapshots are rebuilt before the canvas is locked: a version never changes.
 */
export async function removeBatch(db: Db, removal: Removal): Promise<BatchResult> {
  const { projectId, isKept, isTrim } = removal;
  const built = await db.transaction((tx) => buildSnapshots(tx, removal), { isolationLevel: 'repeatable read' });
  if (typeof built === 'string') return built;
  return db.transaction(async (tx) => {
    if (!(await lockRemoval(tx, projectId))) return 'busy';
    await lockCanvas(tx, projectId);
    const { rows } = await tx.execute<{ version: number; bytes: string; isKept: boolean; isDue: boolean }>(sql`
      SELECT version, bytes, ${isKept} AS "isKept", ${isKept} AND NOT ${hasSnapshot} AS "isDue" FROM canvas_changes AS change
      WHERE project_id = ${projectId} AND patches IS NOT NULL AND version <= ${built.end} ORDER BY version LIMIT ${batchLimits.changes}`);
    // A version that was marked meanwhile has no snapshot yet: the batch ends before it.
    const due = rows.findIndex(({ isDue }) => isDue);
    const batch = due < 0 ? rows : rows.slice(0, due);
    // By a list: joined with a set of unknown size, PostgreSQL would read all changes of the project, and saves would wait for that.
    const isOne = (isWanted: boolean) => {
      const versions = batch.flatMap((one) => (one.isKept === isWanted ? one.version : []));
      return sql`project_id = ${projectId} AND version = ANY(${sql.param(versions)}::integer[])`;
    };
    await tx.execute(sql`UPDATE canvas_changes SET patches = NULL, inverse = NULL, bytes = ${rowBytes} WHERE ${isOne(true)}`);
    await tx.execute(sql`DELETE FROM canvas_changes WHERE ${isOne(false)}`);
    const freed = batch.reduce((sum, { bytes, isKept: stays }) => sum + Number(bytes) - (stays ? rowBytes : 0), 0);
    await countBytes(tx, projectId, built.bytes - freed - (await removeOrphans(tx, projectId)));
    if (isTrim) await noteTrimmed(tx, projectId, batch.at(-1)?.version ?? 0);
    return 'removed';
  });
}

/** Locks the removal of a project's versions until the transaction ends. Returns false when another process removes some. */
export async function lockRemoval(tx: Db, projectId: string): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`versions ${projectId}`}, 0)) AS locked`,
  );
  return rows[0]?.locked ?? false;
}

/** Locks the canvas against saves and marks until the transaction ends. */
export async function lockCanvas(tx: Db, projectId: string): Promise<void> {
  await tx.execute(sql`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`);
}

/** Removes a version whose mark was removed, if only its snapshot was kept and it is not the last of its day. Call it with the canvas locked. */
export async function dropUnmarked(db: Db, projectId: string, version: number): Promise<void> {
  const { rows } = await db.execute<{ bytes: string }>(sql`DELETE FROM canvas_changes AS change
    WHERE project_id = ${projectId} AND version = ${version} AND patches IS NULL AND NOT ${isLastOfDay} RETURNING bytes`);
  if (rows[0]) await countBytes(db, projectId, -Number(rows[0].bytes) - (await removeOrphans(db, projectId)));
}

/** A condition of `change`: no later one of its day (UTC). */
export const isLastOfDay = sql`NOT EXISTS (SELECT FROM canvas_changes AS later WHERE later.project_id = change.project_id AND later.version > change.version
  AND (later.at AT TIME ZONE 'UTC')::date = (change.at AT TIME ZONE 'UTC')::date)`;

const hasSnapshot = sql`EXISTS (SELECT FROM canvas_snapshots AS own WHERE own.project_id = change.project_id AND own.version = change.version)`;

/** Rebuilds the snapshots that a batch needs. Returns its newest version, and the bytes of the snapshots. */
async function buildSnapshots(
  tx: Db,
  { projectId, last, isKept }: Removal,
): Promise<{ end: number; bytes: number } | 'busy' | 'nothing left'> {
  if (!(await lockRemoval(tx, projectId))) return 'busy';
  const { rows } = await tx.execute<{ version: number; isDue: boolean }>(sql`
    SELECT version, "isDue" FROM (SELECT version, ${isKept} AND NOT ${hasSnapshot} AS "isDue",
        sum(bytes) OVER (ORDER BY version) AS total, row_number() OVER (ORDER BY version) AS place
      FROM canvas_changes AS change WHERE project_id = ${projectId} AND version <= ${last} AND patches IS NOT NULL
      ORDER BY version LIMIT ${batchLimits.changes}) AS oldest
    WHERE place = 1 OR total <= ${batchLimits.bytes} ORDER BY version`);
  const kept = await keptVersions(tx, projectId);
  if (!kept || rows.length === 0) return 'nothing left';
  const due = rows.filter(({ isDue }) => isDue);
  const next = due[batchLimits.snapshots];
  const end = next ? next.version - 1 : (rows.at(-1)?.version ?? 0);
  let bytes = 0;
  for (const { version } of due.slice(0, batchLimits.snapshots)) {
    const state = await stateAt(tx, projectId, version, kept);
    if (state) bytes += await storeSnapshot(tx, projectId, version, state);
  }
  return { end, bytes };
}

/** Removes snapshots and marks of removed versions. Returns the bytes that the snapshots took. */
export async function removeOrphans(db: Db, projectId: string): Promise<number> {
  const kept = await keptVersions(db, projectId);
  if (!kept) return 0;
  const isOrphan = sql`one.project_id = ${projectId} AND one.version < ${kept.floor}
    AND NOT EXISTS (SELECT FROM canvas_changes WHERE project_id = one.project_id AND version = one.version)`;
  await db.execute(sql`DELETE FROM canvas_marks AS one WHERE ${isOrphan}`);
  const { rows } = await db.execute<{ bytes: string }>(sql`
    WITH gone AS (DELETE FROM canvas_snapshots AS one WHERE ${isOrphan} RETURNING bytes) SELECT coalesce(sum(bytes), 0) AS bytes FROM gone`);
  return Number(rows[0]?.bytes ?? 0);
}

export async function countBytes(db: Db, projectId: string, added: number): Promise<void> {
  await db.execute(sql`UPDATE projects SET versions_bytes = greatest(0, versions_bytes + ${added}) WHERE id = ${projectId}`);
}

async function noteTrimmed(db: Db, projectId: string, version: number): Promise<void> {
  await db.execute(sql`UPDATE projects SET versions_trimmed = greatest(versions_trimmed, ${version}) WHERE id = ${projectId}`);
}
