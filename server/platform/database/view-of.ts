import { z } from 'zod';

/** A value as a row has it: a date where the view has its text, and null where the view leaves the key out. */
type Stored<Value> = Value | (string extends Value ? Date : never);
type Row<View> = { [Key in keyof View]: Stored<View[Key]> | (undefined extends View[Key] ? null : never) };
type Unknown<View, More> = { [Key in Exclude<keyof More, keyof View>]: never };

/**
 * Returns a function that shows rows as `schema` describes them, so that no list of fields is written twice. It takes the keys of the schema from the row,
 * or from `more` where they differ, and nothing else: a new column is shown only once the contract has it. Dates become texts. A key
 * is left out where the row has null and the schema knows none.
 *
 *     const showTarget = viewOf(gitTarget);
 *     showTarget(row, { hasToken: row.tokenSealed !== null });
 */
export function viewOf<Schema extends z.ZodObject>(schema: Schema) {
  type View = z.output<Schema>;
  const fields = Object.entries(schema.shape).map(([key, field]) => ({ key, omitsNull: !z.safeParse(field, null).success }));

  return <More extends Partial<Row<View>> = object>(row: Row<Omit<View, keyof More>>, more?: More & Unknown<View, More>): View => {
    const given = (more ?? {}) as Readonly<Record<string, unknown>>;
    const columns = row as Readonly<Record<string, unknown>>;
    const view: Record<string, unknown> = {};
    for (const { key, omitsNull } of fields) {
      const value = key in given ? given[key] : columns[key];
      if (value === undefined || (value === null && omitsNull)) continue;
      view[key] = value instanceof Date ? value.toISOString() : value;
    }
    return view as View;
  };
}
