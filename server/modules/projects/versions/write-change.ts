import type { Db } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/drizzle.ts';
import { runIn } from '../../../platform/database/prepared-statements.ts';
import { type BindValue, writeStatement } from '../../../platform/database/statement.ts';
import { type NamedRecords, namedRows, tableOf } from './named-records.ts';
import { storedPatches } from './stored-patches.ts';

/** What a change takes in addition to its patches: many small ones count too. */
export const rowBytes = 512;

/** Memory in which PostgreSQL keeps the records of a large change between its reads of them (MB). It writes what is more into files. */
const largeChangeMb = 32;

/** The version that a write makes of a canvas, and who makes it. `addedBytes`: what else the project's versions take from now on. */
type WrittenVersion = { projectId: string; version: number; author: string; clientId: string | null; addedBytes: number };

/**
 * Writes the records that differ, the change with its patches in both directions, and the project's version: one statement, so that no record
 * passes through this process again. Returns the bytes of all versions of the project.
 */
export async function writeChange(db: Db, written: WrittenVersion, named: NamedRecords): Promise<number> {
  if (!named.isFew) await allowMemory(db);
  const [row] = await runIn(db)(writeStatement((place) => changeStatement(written, named, place)));
  return Number(row?.bytes ?? 0);
}

/** Until the end of the transaction. An operator may have allowed more. */
async function allowMemory(tx: Db): Promise<void> {
  await tx.execute(sql`SELECT set_config('work_mem', ${`${largeChangeMb}MB`}, true)
    WHERE pg_size_bytes(current_setting('work_mem')) < ${largeChangeMb * 1_024 * 1_024}`);
}

function changeStatement(
  { projectId, version, author, clientId, addedBytes }: WrittenVersion,
  named: NamedRecords,
  place: BindValue,
): string {
  const project = `${place(projectId)}::uuid`;
  const at = `${place(version)}::integer`;
  return `WITH differing AS MATERIALIZED (
      SELECT *, ${isMove} AS is_move FROM (${namedRows(named, project, place)}) AS named WHERE after IS DISTINCT FROM before),
    ${writesOf('nodes', project)},
    ${writesOf('connections', project)},
    stored AS (
      INSERT INTO canvas_changes (project_id, version, patches, inverse, author, client_id, counts, titles, bytes, is_start)
      SELECT ${project}, ${at}, patches, inverse, ${place(author)}::uuid, ${place(clientId)}, counts, ${titles},
        pg_column_size(patches) + pg_column_size(inverse) + ${rowBytes},
        NOT EXISTS (SELECT FROM canvas_changes WHERE project_id = ${project} AND version = ${at} - 1)
      FROM (SELECT ${storedPatches('patches')} AS patches, ${storedPatches('inverse')} AS inverse, counts FROM (${made}) AS made OFFSET 0) AS made
      RETURNING bytes)
    UPDATE projects SET canvas_version = ${at}, versions_bytes = versions_bytes + ${place(addedBytes)}::bigint + stored.bytes, updated_at = now()
    FROM stored WHERE projects.id = ${project} RETURNING versions_bytes AS bytes`;
}

function writesOf(collection: 'nodes' | 'connections', project: string): string {
  const table = tableOf[collection];
  const own = `collection = '${collection}'`;
  // By its place, which costs one block a row where an index costs four. All writers lock the canvas, so that no row moves meanwhile.
  const isSame = `${table}.ctid = differing.place`;
  return `removed_${collection} AS (DELETE FROM ${table} USING differing WHERE ${isSame} AND ${own} AND after IS NULL),
    added_${collection} AS (INSERT INTO ${table} (project_id, id, value)
      SELECT ${project}, id, after FROM differing WHERE ${own} AND before IS NULL AND after IS NOT NULL),
    changed_${collection} AS (UPDATE ${table} SET value = after FROM differing
      WHERE ${isSame} AND ${own} AND before IS NOT NULL AND after IS NOT NULL)`;
}

/** A card is only moved when nothing but its place differs. */
const isMove = `(collection = 'nodes' AND before IS NOT NULL AND after IS NOT NULL AND before - '{x,y}'::text[] = after - '{x,y}'::text[])`;

/** The patches that give the records these values, as JSON text: PostgreSQL takes several times as long to build them as jsonb. */
const patchesTo = (text: string) => `'[' || coalesce(string_agg(CASE WHEN ${text} IS NULL THEN '{"op":"remove",' || name || '}'
  ELSE '{"op":"set",' || name || ',"value":' || ${text} || '}' END, ','), '') || ']'`;

const countOf = (collection: 'nodes' | 'connections', condition: string) =>
  `count(*) FILTER (WHERE collection = '${collection}' AND ${condition})`;

const counts = `jsonb_build_object(
  'added', ${countOf('nodes', 'before IS NULL')},
  'removed', ${countOf('nodes', 'after IS NULL')},
  'changed', ${countOf('nodes', 'before IS NOT NULL AND after IS NOT NULL AND NOT is_move')},
  'moved', ${countOf('nodes', 'is_move')},
  'linksAdded', ${countOf('connections', 'before IS NULL')},
  'linksRemoved', ${countOf('connections', 'after IS NULL')},
  'linksChanged', ${countOf('connections', 'before IS NOT NULL AND after IS NOT NULL')})`;

/** One row of a change: `patches` and `inverse` as JSON texts, and `counts`. The new state's text is the one that came. */
const made = `SELECT ${patchesTo('text')} AS patches, ${patchesTo('before::text')} AS inverse, ${counts} AS counts
  FROM (SELECT *, '"collection":"' || collection || '","id":' || to_json(id) AS name FROM differing OFFSET 0) AS one`;

/** The titles of the first cards: those that were added, removed or changed before those that were only moved. */
const titles = `ARRAY(SELECT left(coalesce(nullif(after ->> 'title', ''), nullif(before ->> 'title', ''), before ->> 'name', ''), 80)
  FROM differing WHERE collection = 'nodes' ORDER BY is_move, id LIMIT 3)`;
