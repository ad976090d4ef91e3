import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CanvasDocument, CanvasPatch } from '../../../../contract/canvas.ts';
import type { BindValue } from '../../../platform/database/statement.ts';

type Collection = CanvasPatch['collection'];

/** The records that a write gives to a collection, one line of JSON each, and the ids of those that it removes. */
type GivenRecords = { lines: string; removed: readonly string[] };

/** The records that a write names. What `replacesAll` does not name is removed. The keys are the ids of the records. */
export type NamedRecords = Record<Collection, GivenRecords> & { replacesAll: boolean; isFew: boolean };

/** SQL tables of the collections. */
export const tableOf = { nodes: 'canvas_nodes', connections: 'canvas_connections' } as const satisfies Record<Collection, string>;

/** So many patches are few: their records fit into the memory of any statement. */
const maxFew = 16;
/** Characters of records that are written in one turn; other requests are served between turns. */
const charactersPerTurn = 128 * 1024;

/** The records of patches; of several patches to one record the last one wins. */
export async function recordsOfPatches(patches: readonly CanvasPatch[]): Promise<NamedRecords> {
  const last = [...new Map(patches.map((patch) => [`${patch.collection}/${patch.id}`, patch])).values()];
  const given = async (collection: Collection): Promise<GivenRecords> => {
    const own = last.filter((patch) => patch.collection === collection);
    return {
      lines: await linesOf(own.flatMap((patch) => (patch.op === 'set' ? [patch.value] : []))),
      removed: own.flatMap(({ op, id }) => (op === 'remove' ? [id] : [])),
    };
  };
  return { nodes: await given('nodes'), connections: await given('connections'), replacesAll: false, isFew: last.length <= maxFew };
}

/** All records of a document that replaces the canvas. */
export async function recordsOfDocument({ nodes, connections }: CanvasDocument): Promise<NamedRecords> {
  const given = async (records: object): Promise<GivenRecords> => ({ lines: await linesOf(Object.values(records)), removed: [] });
  return { nodes: await given(nodes), connections: await given(connections), replacesAll: true, isFew: false };
}

/** JSON has no line break outside of its values, and a break in a value is escaped. */
async function linesOf(records: readonly object[]): Promise<string> {
  const parts: string[] = [];
  let part = '';
  for (const record of records) {
    if (part.length >= charactersPerTurn) {
      parts.push(part);
      part = '';
      await nextTurn();
    }
    part += `${JSON.stringify(record)}\n`;
  }
  return (parts.join('') + part).slice(0, -1);
}

/**
 * SQL rows of the records that a write names, as they are and as they will be: `collection`, `id`, `before`, `after` and `text`, the JSON text of
 * `after`; null where there is none. `place` is where the row with `before` is stored. `project`: SQL of its id. The text of the SQL depends on
 * `replacesAll` only.
 */
export function namedRows(named: NamedRecords, project: string, place: BindValue): string {
  return (['nodes', 'connections'] as const).map((collection) => rowsOf(collection, named, project, place)).join(' UNION ALL ');
}

function rowsOf(collection: Collection, { [collection]: own, replacesAll }: NamedRecords, project: string, place: BindValue): string {
  const columns = `'${collection}' AS collection, coalesce(given.id, stored.id) AS id, stored.value AS before,
    given.value AS after, given.text, stored.place`;
  // OFFSET 0 keeps the conversion of a line from being made again for each use of its value.
  const set = `SELECT value ->> 'id' AS id, value, text
    FROM (SELECT text::jsonb AS value, text FROM string_to_table(${place(own.lines)}, E'\\n') AS text OFFSET 0) AS line`;
  const stored = `SELECT id, value, ctid AS place FROM ${tableOf[collection]} WHERE project_id = ${project}`;
  if (replacesAll) return `SELECT ${columns} FROM (${set}) AS given FULL JOIN (${stored}) AS stored ON stored.id = given.id`;
  const removed = `SELECT id, NULL, NULL FROM jsonb_array_elements_text(${place(JSON.stringify(own.removed))}::jsonb) AS id`;
  // OFFSET 0 keeps PostgreSQL from reading all records of the canvas: it looks each one up, for it cannot know that they are few.
  return `SELECT ${columns} FROM (${set} UNION ALL ${removed}) AS given LEFT JOIN LATERAL (${stored} AND id = given.id OFFSET 0) AS stored ON true`;
}
