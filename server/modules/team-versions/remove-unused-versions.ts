import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';

/** Versions that one statement removes: others write meanwhile. */
const batch = 200;

/**
 * Removes the versions that runs have made and that nothing needs any more: without a name, a run, a release, and not the newest of their project. A
 * project whose team is being stored keeps them until the next time. Returns how many were removed.
 */
export async function removeUnusedVersions(db: Db): Promise<number> {
  for (let removed = 0; ; ) {
    const { rowCount } = await db.execute(sql`DELETE FROM team_versions WHERE id IN (
      SELECT version.id FROM team_versions AS version JOIN projects ON projects.id = version.project_id
      WHERE version.name IS NULL
        AND NOT EXISTS (SELECT FROM executions WHERE team_version_id = version.id)
        AND NOT EXISTS (SELECT FROM team_releases WHERE team_version_id = version.id)
        AND NOT EXISTS (SELECT FROM latest_teams WHERE team_version_id = version.id)
      LIMIT ${batch} FOR UPDATE OF projects SKIP LOCKED)`);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return removed;
  }
}
