import type { BindValue } from './statement.ts';

declare const hasUniqueKeys: unique symbol;

/**
 * Rows of which no two have the same key. Only such rows are written by one statement: PostgreSQL refuses a statement that inserts or updates
 * one key twice. `lastOfEach` makes them of what comes from outside, `distinct` of what this server has numbered or checked itself.
 */
export type UniqueRows<Row> = readonly Row[] & { readonly [hasUniqueKeys]: true };

type KeyOf<Row> = (row: Row) => string | number;

/** Returns the last row of each key, at the place of the first one. */
export function lastOfEach<Row>(rows: readonly Row[], keyOf: KeyOf<Row>): UniqueRows<Row> {
  return unique([...new Map(rows.map((row) => [keyOf(row), row])).values()]);
}

/** Returns the rows themselves. Throws when two have one key: then a check before has failed, and the database would say it later. */
export function distinct<Row>(rows: readonly Row[], ...keys: readonly KeyOf<Row>[]): UniqueRows<Row> {
  for (const keyOf of keys) {
    const known = new Set<string | number>();
    for (const row of rows) {
      const key = keyOf(row);
      if (known.has(key)) throw new TypeError(`Two rows of one statement have the key ${JSON.stringify(key)}.`);
      known.add(key);
    }
  }
  return unique(rows);
}

/** Converts each row. The columns of the key must stay, or one must be added that all rows have alike. */
export function mapRows<Row, Converted>(rows: UniqueRows<Row>, convert: (row: Row) => Converted): UniqueRows<Converted> {
  return unique(rows.map(convert));
}

/** The table expression of rows that are sent as JSON, with the columns and types of `shape`, under the name `name`. */
export function recordset(rows: UniqueRows<object>, { name, shape, place }: { name: string; shape: string; place: BindValue }): string {
  return `jsonb_to_recordset(${place(JSON.stringify(rows))}::jsonb) AS ${name} (${shape})`;
}

function unique<Row>(rows: readonly Row[]): UniqueRows<Row> {
  return rows as UniqueRows<Row>;
}
