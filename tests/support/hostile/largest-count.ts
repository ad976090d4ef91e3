import { z } from 'zod';

type Schema = {
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
};

/**
 * Returns the number of values that a body may need by its schema, and the entries of one of its fields, with lists of the maximum
 * length. A part without a limit in the schema counts as one value. `rare` names settings that at most so many entries of a list have.
 */
export function largestCount(schema: z.ZodType, rare: Record<string, number> = {}): { values: number; entries: number } {
  const body = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema;
  const fields = choicesOf(body).flatMap(({ properties }) => Object.values(properties ?? {}).flatMap(choicesOf));
  const sizes = fields.map(({ maxItems, properties }) => maxItems ?? Object.keys(properties ?? {}).length);
  return { values: valuesOf(body, rare) + rareValues(body, rare), entries: Math.max(0, ...sizes) };
}

/** An opening bracket and each comma count as one value, as in the scan of a body. */
function valuesOf(schema: Schema, rare: Record<string, number>): number {
  return Math.max(
    ...choicesOf(schema).map(({ properties, items, maxItems = 0 }) => {
      if (properties)
        return (
          1 + Object.entries(properties).reduce((sum, [name, field]) => sum + (Object.hasOwn(rare, name) ? 1 : valuesOf(field, rare)), 0)
        );
      return 1 + (items ? maxItems * valuesOf(items, rare) : 0);
    }),
  );
}

/** The values of rare fields, wherever they are in the schema. */
function rareValues(schema: Schema, rare: Record<string, number>, isInList = false): number {
  return choicesOf(schema).reduce((sum, { properties, items }) => {
    const inside = Object.entries(properties ?? {}).map(([name, field]) =>
      Object.hasOwn(rare, name) ? (isInList ? (rare[name] ?? 0) : 1) * valuesOf(field, {}) : rareValues(field, rare, isInList),
    );
    return sum + inside.reduce((all, values) => all + values, 0) + (items ? rareValues(items, rare, true) : 0);
  }, 0);
}

function choicesOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap((choice) => (choice.anyOf || choice.oneOf ? choicesOf(choice) : [choice]));
}
