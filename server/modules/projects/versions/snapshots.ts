import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { type CanvasState, documentOf } from './state-at.ts';

/** A snapshot is due after so many changes, or so long after the last one (ms). */
const changesPerSnapshot = 500;
const snapshotEveryMs = 24 * 60 * 60 * 1_000;

/** SQL of a row of `projects`: whether a snapshot of its canvas is due before the next change. */
export const isSnapshotDue = `coalesce((
    SELECT canvas_version - last.version >= ${changesPerSnapshot} OR now() - last.at >= make_interval(secs => ${snapshotEveryMs / 1_000})
    FROM (SELECT version, at FROM canvas_snapshots WHERE project_id = projects.id
      UNION ALL (SELECT version, at FROM canvas_changes WHERE project_id = projects.id ORDER BY version LIMIT 1)
      ORDER BY version DESC LIMIT 1) AS last), false)`;

/** Stores a snapshot of these records, unless the version has one. Returns its bytes. */
export async function storeSnapshot(db: Db, projectId: string, version: number, state: CanvasState): Promise<number> {
  const { rows } = await db.execute<{ bytes: string }>(sql`
    INSERT INTO canvas_snapshots (project_id, version, document, bytes)
    SELECT ${projectId}::uuid, ${version}::integer, document, pg_column_size(document) FROM (${documentOf(state)}) AS made
    ON CONFLICT (project_id, version) DO NOTHING RETURNING bytes`);
  return Number(rows[0]?.bytes ?? 0);
}
