import { getTableColumns, getTableName, type PgColumn, type PgTable, type SQL, sql } from './drizzle.ts';
import { mapRows, recordset, type UniqueRows } from './unique-rows.ts';

/** A statement as it is sent: its text, and the values of `$1`, `$2` … in it. */
export type Statement = { text: string; values: unknown[] };

/** Adds a value to the statement and returns its placeholder. */
export type BindValue = (value: unknown) => string;

/** A write that is part of a larger statement: done when the table expression `changed` has a row. */
export type SqlFragment = (changed: string, place: BindValue) => string;

/**
 * Writes a statement by hand: for frequent statements, where a query builder would cost more than the database.
 * The text must not depend on the values, so that PostgreSQL prepares it once.
 */
export function writeStatement(write: (place: BindValue) => string): Statement {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return { text, values };
}

/** Converts SQL that is written by hand into a part of a query of the query builder. */
export function builderSql(write: (place: BindValue) => string): SQL {
  const { text, values } = writeStatement(write);
  const parts = text.split(/\$\d+/).map((part) => sql.raw(part));
  return sql.join(parts.flatMap((part, index) => (index < values.length ? [part, sql`${values[index]}`] : [part])));
}

/** Returns `column = $n` for each value, by the names of the table's model. Throws for an unknown name. */
export function assignments(table: PgTable, values: object, place: BindValue): string {
  const columns = columnsOf(table);
  const sets: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const column = columns.get(key);
    if (!column) throw new TypeError(`The table ${getTableName(table)} has no column "${key}".`);
    sets.push(`${column.name} = ${place(column.encode(value))}`);
  }
  return sets.join(', ');
}

/** Inserts one row, given by the names of the table's model, for each row of `source`. */
export function insertion(table: PgTable, row: object, { source, place }: { source: string; place: BindValue }): string {
  const { given, names } = shapeOf(table, Object.keys(row));
  const values = given.map(({ key, column }) => `${place(column.encode((row as Record<string, unknown>)[key]))}::${column.type}`);
  return `INSERT INTO ${getTableName(table)} (${names}) SELECT ${values.join(', ')} FROM ${source}`;
}

/** Inserts rows with the same columns when `source`, a table expression of one row, has it. */
export function insertions(table: PgTable, rows: UniqueRows<object>, { source, place }: { source: string; place: BindValue }): string {
  const { given, names, namesOfOne, typed } = shapeOf(table, Object.keys(rows[0] ?? {}));
  return `INSERT INTO ${getTableName(table)} (${names}) SELECT ${namesOfOne}
    FROM ${source}, ${recordset(
      mapRows(rows, (row) => withoutNulls(row, given)),
      { name: 'one', shape: typed, place },
    )}`;
}

/** A row by its columns' names. A column that is missing in it is null for PostgreSQL. */
function withoutNulls(row: object, given: readonly GivenColumn[]): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const { key, column } of given) {
    const value = (row as Record<string, unknown>)[key];
    if (value !== null) told[column.name] = value;
  }
  return told;
}

/** Selects some columns of a table as one JSON object by the names of its model. `more`: SQL of further values, by their keys. */
export function jsonObject(table: PgTable, keys: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const values = Object.entries(more).map(([key, value]) => `, '${key}', ${value}`);
  return `json_build_object(${shapeOf(table, keys).pairs}${values.join('')})`;
}

type UnsetKey<Row, New> = {
  [Key in keyof Row & keyof New]: undefined extends New[Key] ? (Row[Key] extends Date ? never : Key) : never;
}[keyof Row & keyof New];

/** Returns what a row has in the columns that need no value: their defaults, or null. Times that the database sets are not among them. */
export function defaultsOf<Table extends PgTable>(
  table: Table,
): Pick<Table['$inferSelect'], UnsetKey<Table['$inferSelect'], Table['$inferInsert']>> {
  const unset = Object.entries(getTableColumns(table)).filter(
    ([, { notNull, hasDefault, dataType }]) => !notNull || (hasDefault && dataType !== 'date'),
  );
  return Object.fromEntries(unset.map(([key, column]) => [key, column.default ?? null])) as Table['$inferSelect'];
}

type Column = { name: string; type: string; encode: (value: unknown) => unknown };

const known = new WeakMap<PgTable, Map<string, Column>>();

function columnsOf(table: PgTable): Map<string, Column> {
  const before = known.get(table);
  if (before) return before;
  const columns = new Map(Object.entries(getTableColumns(table)).map(([key, column]) => [key, toColumn(column)]));
  known.set(table, columns);
  return columns;
}

function toColumn(column: PgColumn): Column {
  const encode = (value: unknown) => (value === null || value === undefined ? null : column.mapToDriverValue(value));
  return { name: column.name, type: column.getSQLType(), encode };
}

/** What statements on the same columns of a table share: `typed` is for a record set that is named `one`, `pairs` for `json_build_object`. */
type Shape = { given: GivenColumn[]; names: string; namesOfOne: string; typed: string; pairs: string };
type GivenColumn = { key: string; column: Column };

const shapes = new WeakMap<PgTable, Map<string, Shape>>();

/** Writes the texts of a choice of columns once: frequent statements name the same again and again. Keys come from code, so that they are few. */
function shapeOf(table: PgTable, keys: readonly string[]): Shape {
  const ofTable = shapes.get(table) ?? new Map<string, Shape>();
  shapes.set(table, ofTable);
  const name = keys.join();
  const before = ofTable.get(name);
  if (before) return before;
  const columns = columnsOf(table);
  const given = keys.flatMap((key) => {
    const column = columns.get(key);
    return column ? [{ key, column }] : [];
  });
  const listed = (write: (one: GivenColumn) => string) => given.map(write).join(', ');
  const shape = {
    given,
    names: listed(({ column }) => column.name),
    namesOfOne: listed(({ column }) => `one.${column.name}`),
    typed: listed(({ column }) => `${column.name} ${column.type}`),
    pairs: listed(({ key, column }) => `'${key}', ${column.name}`),
  };
  ofTable.set(name, shape);
  return shape;
}
