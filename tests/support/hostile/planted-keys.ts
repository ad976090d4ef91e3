import { z } from 'zod';

/** A key that no schema has and that must never be sent. */
export const secret = { passwordHash: 'a secret that must stay here' };

/** Values that fit the schema: one for each option of its unions, with every optional field. */
export function samplesOf(schema: z.core.$ZodType): unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return variants(def.shape);
    case 'array':
      return samplesOf(def.element).map((item) => [item, item]);
    case 'record':
      return samplesOf(def.valueType).map((item) => ({ one: item, other: item }));
    case 'union':
      return def.options.flatMap(samplesOf);
    case 'nullable':
    case 'optional':
    case 'default':
      return samplesOf(def.innerType);
    case 'undefined':
      return [undefined];
    case 'literal':
      return [...def.values];
    default:
      return ['a leaf'];
  }
}

function variants(shape: Record<string, z.core.$ZodType>): object[] {
  const fields = Object.entries(shape).map(([key, field]) => [key, samplesOf(field)] as const);
  const most = Math.max(1, ...fields.map(([, samples]) => samples.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(fields.map(([key, samples]) => [key, samples[index % samples.length]])),
  );
}

/** Returns the value with an additional key in every object whose keys the schema names. */
export function planted(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const entries = Object.entries(value as object).map(([key, field]) => [key, planted(def.shape[key] as z.core.$ZodType, field)]);
      return { ...Object.fromEntries(entries), ...secret };
    }
    case 'array':
      return (value as unknown[]).map((item) => planted(def.element, item));
    case 'record':
      return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, planted(def.valueType, item)]));
    case 'union':
      return planted(
        def.options.find((option) => samplesOf(option).some((sample) => JSON.stringify(sample) === JSON.stringify(value))) ?? z.string(),
        value,
      );
    case 'nullable':
    case 'optional':
    case 'default':
      return planted(def.innerType, value);
    case 'undefined':
      return secret;
    default:
      return value;
  }
}
