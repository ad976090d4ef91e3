import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { type CanvasState, documentOf, stateNow } from './state-at.ts';

/** A snapshot is due after so many changes, or so long after the last one (ms). */
const changesPerSnapshot = 500;
const snapshotEveryMs = 24 * 60 * 60 * 1_000;

/** Stores the canvas as it is under its version, if a snapshot is due. Call it before a change, with the canvas locked. Returns the bytes. */
export async function takeDueSnapshot(db: Db, projectId: string, version: number): Promise<number> {
  const { rows } = await db.execute<{ isDue: boolean | null }>(sql`
    SELECT ${version} - last.version >= ${changesPerSnapshot} OR now() - last.at >= make_interval(secs => ${snapshotEveryMs / 1_000}) AS "isDue"
    FROM (SELECT version, at FROM canvas_snapshots WHERE project_id = ${projectId}
      UNION ALL (SELECT version, at FROM canvas_changes WHERE project_id = ${projectId} ORDER BY version LIMIT 1)
      ORDER BY version DESC LIMIT 1) AS last`);
  return rows[0]?.isDue ? storeSnapshot(db, projectId, version, stateNow(projectId)) : 0;
}

/** Stores a snapshot of these records, unless the version has one. Returns its bytes. */
export async function storeSnapshot(db: Db, projectId: string, version: number, state: CanvasState): Promise<number> {
  const { rows } = await db.execute<{ bytes: string }>(sql`
    INSERT INTO canvas_snapshots (project_id, version, document, bytes)
    SELECT ${projectId}::uuid, ${version}::integer, document, pg_column_size(document) FROM (${documentOf(state)}) AS made
    ON CONFLICT (project_id, version) DO NOTHING RETURNING bytes`);
  return Number(rows[0]?.bytes ?? 0);
}
