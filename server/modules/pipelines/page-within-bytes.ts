import type { Db } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/drizzle.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

/** A list adds no pipeline after this size (bytes of its texts). One pipeline alone may be larger. */
const maxListedBytes = 2 * 1024 * 1024;
/** The size of a step without its texts in an answer (bytes). */
const bytesPerStep = 250;

/**
 * Returns the ids of one page of a user's pipelines, the newest first. The page ends after `limit` pipelines, or before the one
 * whose predecessors together have `maxListedBytes`: a pipeline has up to 10,000 steps and 40,000 links. The database measures the
 * pipelines one by one, and stops where the page ends.
 */
export async function pageWithinBytes(db: Db, userId: OwnerId, limit: number, offset: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH RECURSIVE candidates AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place
      FROM pipelines WHERE user_id = ${userId} AND removed_at IS NULL AND NOT is_of_release
      ORDER BY place LIMIT ${limit} OFFSET ${offset}
    ), page AS (
      SELECT id, place, 0::bigint AS bytes_before FROM candidates WHERE place = ${offset} + 1
      UNION ALL
      SELECT next.id, next.place, measured.bytes
      FROM page
      CROSS JOIN LATERAL (
        SELECT page.bytes_before + octet_length(configuration) + coalesce(octet_length(links::text), 0) + coalesce(octet_length(groups::text), 0) + (
          SELECT coalesce(sum(${bytesPerStep} + octet_length(name) + octet_length(description) + coalesce(octet_length(settings::text), 0)), 0)
          FROM pipeline_steps WHERE pipeline_id = page.id
        ) AS bytes FROM pipelines WHERE id = page.id
      ) measured
      JOIN candidates next ON next.place = page.place + 1
      WHERE measured.bytes < ${maxListedBytes}
    )
    SELECT id FROM page ORDER BY place`);
  return rows.map(({ id }) => id);
}
