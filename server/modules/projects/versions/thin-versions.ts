import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { isLastOfDay, removeBatch } from './remove-versions.ts';

/** The projects among which one is looked for whose versions no other process removes. */
const projectsAtOnce = 20;

/**
 * Thins the oldest changes of one project that were saved before `before`, one batch: keeps marked versions and the last one of each day (UTC), as
 * snapshots. Leaves out projects of which another process removes versions. Returns whether there may be more to remove.
 */
export async function thinVersions(db: Db, before: Date): Promise<boolean> {
  const { rows } = await db.execute<{ id: string; last: number }>(sql`
    SELECT projects.id, old.last FROM projects CROSS JOIN LATERAL (SELECT max(version) AS last FROM canvas_changes
      WHERE project_id = projects.id AND patches IS NOT NULL AND at < ${before} AND version < canvas_version) AS old
    WHERE EXISTS (SELECT FROM canvas_changes
      WHERE project_id = projects.id AND patches IS NOT NULL AND at < ${before} AND version < canvas_version)
    LIMIT ${projectsAtOnce}`);
  for (const { id, last } of rows) {
    if ((await removeBatch(db, { projectId: id, last, isKept: isMarkedOrLast, isTrim: false })) !== 'busy') return true;
  }
  return false;
}

const isMarkedOrLast = sql`(EXISTS (SELECT FROM canvas_marks AS mark
  WHERE mark.project_id = change.project_id AND mark.version = change.version) OR ${isLastOfDay})`;
