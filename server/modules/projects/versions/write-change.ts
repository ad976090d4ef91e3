import type { CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import { jsonText } from '../../../http/bodies/json-text.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type SQL, sql } from '../../../platform/database/drizzle.ts';
import { storedPatches } from './stored-patches.ts';

/** What a change takes in addition to its patches: many small ones count too. */
export const rowBytes = 512;

/** The version that a write makes of a canvas, and who makes it. */
type WrittenVersion = { projectId: string; version: number; author: string; clientId: string | null };

/** The records that a write names, as they are and as they will be: `collection`, `id`, `before`, `after`; null where there is none. */
export type NamedRecords = SQL;

/** The records of patches; of several patches to one record the last one wins. */
export async function recordsOfPatches(projectId: string, patches: readonly CanvasPatch[]): Promise<NamedRecords> {
  const last = new Map(patches.map((patch) => [`${patch.collection}/${patch.id}`, patch]));
  const given = await jsonText([...last.values()]);
  return sql`WITH given AS MATERIALIZED (
      SELECT one.collection, one.id, CASE WHEN one.op = 'set' THEN one.value END AS value
      FROM jsonb_to_recordset(${given}::jsonb) AS one (op text, collection text, id text, value jsonb))
    SELECT given.collection, given.id, node.value AS before, given.value AS after
    FROM given LEFT JOIN canvas_nodes node ON node.project_id = ${projectId} AND node.id = given.id WHERE given.collection = 'nodes'
    UNION ALL
    SELECT given.collection, given.id, link.value, given.value
    FROM given LEFT JOIN canvas_connections link ON link.project_id = ${projectId} AND link.id = given.id WHERE given.collection = 'connections'`;
}

/** All records of a document that replaces the canvas, and all that it removes. The keys are the ids of the records. */
export async function recordsOfDocument(projectId: string, document: CanvasDocument): Promise<NamedRecords> {
  const given = async (records: object) => sql`(SELECT key AS id, value FROM jsonb_each(${await jsonText(records)}::jsonb))`;
  return sql`SELECT 'nodes' AS collection, id, stored.value AS before, given.value AS after
    FROM ${await given(document.nodes)} AS given
    FULL JOIN (SELECT id, value FROM canvas_nodes WHERE project_id = ${projectId}) AS stored USING (id)
    UNION ALL
    SELECT 'connections', id, stored.value, given.value
    FROM ${await given(document.connections)} AS given
    FULL JOIN (SELECT id, value FROM canvas_connections WHERE project_id = ${projectId}) AS stored USING (id)`;
}

/**
 * Writes the records that differ, and the change with its patches in both directions: one statement, so that no record passes through
 * this process again. Returns the bytes of the change.
 */
export async function writeChange(db: Db, { projectId, version, author, clientId }: WrittenVersion, named: NamedRecords): Promise<number> {
  const { rows } = await db.execute<{ bytes: string }>(sql`
    WITH named AS MATERIALIZED (${named}),
    differing AS MATERIALIZED (SELECT *, ${isMove} AS is_move FROM named WHERE after IS DISTINCT FROM before),
    removed_nodes AS (DELETE FROM canvas_nodes USING differing
      WHERE project_id = ${projectId} AND collection = 'nodes' AND after IS NULL AND canvas_nodes.id = differing.id),
    removed_links AS (DELETE FROM canvas_connections USING differing
      WHERE project_id = ${projectId} AND collection = 'connections' AND after IS NULL AND canvas_connections.id = differing.id),
    added_nodes AS (INSERT INTO canvas_nodes (project_id, id, value)
      SELECT ${projectId}::uuid, id, after FROM differing WHERE collection = 'nodes' AND before IS NULL AND after IS NOT NULL),
    added_links AS (INSERT INTO canvas_connections (project_id, id, value)
      SELECT ${projectId}::uuid, id, after FROM differing WHERE collection = 'connections' AND before IS NULL AND after IS NOT NULL),
    changed_nodes AS (UPDATE canvas_nodes SET value = after FROM differing
      WHERE project_id = ${projectId} AND collection = 'nodes' AND before IS NOT NULL AND after IS NOT NULL AND canvas_nodes.id = differing.id),
    changed_links AS (UPDATE canvas_connections SET value = after FROM differing
      WHERE project_id = ${projectId} AND collection = 'connections' AND before IS NOT NULL AND after IS NOT NULL
        AND canvas_connections.id = differing.id),
    made AS MATERIALIZED (SELECT
      ${storedPatches(patchesTo(sql`after`))} AS patches,
      ${storedPatches(patchesTo(sql`before`))} AS inverse,
      ${counts} AS counts
      FROM differing)
    INSERT INTO canvas_changes (project_id, version, patches, inverse, author, client_id, counts, titles, bytes, is_start)
    SELECT ${projectId}::uuid, ${version}::integer, patches, inverse, ${author}::uuid, ${clientId}, counts, ${titles},
      pg_column_size(patches) + pg_column_size(inverse) + ${rowBytes}::integer,
      NOT EXISTS (SELECT FROM canvas_changes WHERE project_id = ${projectId} AND version = ${version} - 1)
    FROM made RETURNING bytes`);
  return Number(rows[0]?.bytes ?? 0);
}

/** A card is only moved when nothing but its place differs. */
const isMove = sql`(collection = 'nodes' AND before IS NOT NULL AND after IS NOT NULL AND before - 'x' - 'y' = after - 'x' - 'y')`;

/** The patches that give the records these values, as JSON text: PostgreSQL takes several times as long to build them as jsonb. */
function patchesTo(value: SQL): SQL {
  return sql`concat('[', string_agg(concat(
    CASE WHEN ${value} IS NULL THEN '{"op":"remove"' ELSE '{"op":"set"' END,
    ',"collection":"', collection, '","id":', to_json(id), ',"value":' || ${value}::text, '}'), ','), ']')`;
}

const countOf = (collection: 'nodes' | 'connections', condition: SQL) =>
  sql`count(*) FILTER (WHERE collection = ${sql.raw(`'${collection}'`)} AND ${condition})`;

const counts = sql`jsonb_build_object(
  'added', ${countOf('nodes', sql`before IS NULL`)},
  'removed', ${countOf('nodes', sql`after IS NULL`)},
  'changed', ${countOf('nodes', sql`before IS NOT NULL AND after IS NOT NULL AND NOT is_move`)},
  'moved', ${countOf('nodes', sql`is_move`)},
  'linksAdded', ${countOf('connections', sql`before IS NULL`)},
  'linksRemoved', ${countOf('connections', sql`after IS NULL`)},
  'linksChanged', ${countOf('connections', sql`before IS NOT NULL AND after IS NOT NULL`)})`;

/** The titles of the first cards: those that were added, removed or changed before those that were only moved. */
const titles = sql`ARRAY(SELECT left(coalesce(nullif(after ->> 'title', ''), nullif(before ->> 'title', ''), before ->> 'name', ''), 80)
  FROM differing WHERE collection = 'nodes' ORDER BY is_move, id LIMIT 3)`;
