import type pg from 'pg';
import { shownAddress } from '../../../platform/egress/address-secrets.ts';
import { type AccountTable, isSecretColumn } from '../account-tables.ts';

/** Rows of one table: those of the place `id`, without hidden columns and the keys in `addresses`, or with `columns` only. */
type RowQuery = {
  table: AccountTable;
  of: string;
  id: string;
  hides?: readonly string[];
  addresses?: readonly string[];
  columns?: readonly string[];
};

/** Reads the rows of a query as JSON texts, in the order of their primary key. */
export type ReadRows = (query: RowQuery) => AsyncGenerator<string>;

/** Bytes and rows of one page: what an export holds in memory at once. */
const pageBytes = 2 * 1024 * 1024;
const [firstRows, maxRows] = [8, 500];

type Shape = { columns: string[]; key: { name: string; type: string }[] };

/**
 * Returns a reader that goes through tables page by page. It holds no connection between two pages, so a slow client keeps none. `inTurn` runs
 * each query.
 */
export async function createRowReader(pool: Pick<pg.Pool, 'query'>, inTurn: <T>(query: () => Promise<T>) => Promise<T>): Promise<ReadRows> {
  const shapes = await inTurn(() => readShapes(pool));
  return async function* readRows({ table, of, id, hides = [], addresses = [], columns }) {
    const shape = shapes.get(table);
    if (!shape) throw new Error(`There is no table ${table}.`);
    const shown = (columns ?? shape.columns).filter((name) => !isSecretColumn(name) && !hides.includes(name));
    let after: string[] | null = null;
    for (let limit = firstRows; ; ) {
      const text = pageOf(table, shape.key, { of, shown, isFirst: after === null });
      const values: unknown[] = [id, limit, ...(after ?? [])];
      const { rows } = await inTurn(() => pool.query<{ body: string; key: string[]; read: number }>(text, values));
      for (const { body } of rows) yield addresses.length === 0 ? body : withoutKeys(body, addresses);
      const last = rows.at(-1);
      const isLastPage = !last || (rows.length === last.read && last.read < limit);
      if (isLastPage) return;
      after = last.key;
      limit = Math.min(maxRows, Math.max(firstRows, rows.length * 2));
    }
  };
}

/** Returns a row with its addresses as they are shown. */
function withoutKeys(body: string, addresses: readonly string[]): string {
  const row = JSON.parse(body) as Record<string, unknown>;
  for (const name of addresses) row[name] = shown(row[name]);
  return JSON.stringify(row);
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return shownAddress(value);
  const hasUrl = typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
  return hasUrl ? { ...value, url: shown(value.url) } : value;
}

/** One page: rows after a key until their texts are long enough. `read`: how many rows there were before the cut. */
function pageOf(
  table: string,
  key: Shape['key'],
  { of, shown, isFirst }: { of: string; shown: readonly string[]; isFirst: boolean },
): string {
  const order = key.map(({ name }) => `t."${name}"`).join(', ');
  const after = isFirst ? '' : `AND (${order}) > (${key.map(({ type }, index) => `$${index + 3}::${type}`).join(', ')})`;
  const values = shown.map((name) => `t."${name}"`).join(', ');
  return `SELECT body, key, read FROM (
      SELECT body, key, n, (count(*) OVER ())::integer AS read, sum(octet_length(body)) OVER (ORDER BY n) AS through FROM (
        SELECT (SELECT to_jsonb(v) FROM (SELECT ${values}) AS v)::text AS body,
          ARRAY[${key.map(({ name }) => `t."${name}"::text`).join(', ')}] AS key, row_number() OVER (ORDER BY ${order}) AS n
        FROM "${table}" AS t WHERE (${of}) ${after} ORDER BY ${order} LIMIT $2) AS page) AS cut
    WHERE n = 1 OR through <= ${pageBytes} ORDER BY n`;
}

/** The columns of all tables, and their primary keys. */
async function readShapes(pool: Pick<pg.Pool, 'query'>): Promise<Map<string, Shape>> {
  const { rows } = await pool.query<{ table: string; column: string; type: string; place: number | null }>(`
    SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type, array_position(i.indkey::smallint[], a.attnum) AS place
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname, a.attnum`);
  const shapes = new Map<string, Shape>();
  const places = new Map<string, number>();
  for (const { table, column, type, place } of rows) {
    const shape = shapes.get(table) ?? { columns: [], key: [] };
    shapes.set(table, shape);
    shape.columns.push(column);
    if (place === null) continue;
    shape.key.push({ name: column, type });
    places.set(`${table}.${column}`, place);
  }
  const placeOf = (table: string, name: string) => places.get(`${table}.${name}`) ?? 0;
  for (const [table, { key }] of shapes) key.sort((one, other) => placeOf(table, one.name) - placeOf(table, other.name));
  return shapes;
}
