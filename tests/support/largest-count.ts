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
 * length. A part without a limit in the schema counts as one value.
 */
export function largestCount(schema: z.ZodType): { values: number; entries: number } {
  const body = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema;
  const fields = choicesOf(body).flatMap(({ properties }) => Object.values(properties ?? {}).flatMap(choicesOf));
  const sizes = fields.map(({ maxItems, properties }) => maxItems ?? Object.keys(properties ?? {}).length);
  return { values: valuesOf(body), entries: Math.max(0, ...sizes) };
}

/** An opening bracket and each comma count as one value, as in the scan of a body. */
function valuesOf(schema: Schema): number {
  return Math.max(
    ...choicesOf(schema).map(({ properties, items, maxItems = 0 }) => {
      if (properties) return 1 + Object.values(properties).reduce((sum, field) => sum + valuesOf(field), 0);
      return 1 + (items ? maxItems * valuesOf(items) : 0);
    }),
  );
}

function choicesOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap((choice) => (choice.anyOf || choice.oneOf ? choicesOf(choice) : [choice]));
}
