import { z } from 'zod';
import type { BodyLimits } from '../../../contract/body-limits.ts';

type Schema = {
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
};

/** The budget that is left for a part of the body. */
type Budget = { bytes: number; values: number };

/** `entries` makes lists of the maximum length with small entries; `texts` fills each entry first. */
export type Shape = 'entries' | 'texts';

/** Characters that parsers look for, and separators that only some parsers take for the end of a line. */
const marks = '~ `\u2028#, ';
const bytesOfMark = Buffer.byteLength(marks) / marks.length;
const longestId = 200;

/**
 * Returns a body as large as route and schema allow. Each list and record shares its budget among its entries, so the body is never
 * larger than `limits`. Fields in `named` have that value, such as ids of existing records; a field with undefined is left out.
 */
export function largestBody(schema: z.ZodType, limits: BodyLimits, shape: Shape, named: Record<string, unknown>): Buffer {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema;
  const choices = new WeakMap<Schema, Schema>();
  const sizes = new WeakMap<Schema, { least: Budget; most: Budget }>();
  for (let share = 1; share > 0.1; share -= 0.1) {
    const text = JSON.stringify(build(root, { bytes: limits.bytes * share, values: limits.values * share }));
    const body = Buffer.from(text);
    if (body.length <= limits.bytes && valuesIn(text) <= limits.values) return body;
  }
  throw new Error('Even the smallest body is too large.');

  function build(part: Schema, budget: Budget, name = ''): unknown {
    if (name in named) return named[name];
    const schema = choiceOf(part);
    if (schema.enum) return schema.enum[0];
    if ('const' in schema) return schema.const;
    switch (schema.type) {
      case 'string':
        return textOf(schema, budget);
      case 'integer':
      case 'number':
        return Math.min(schema.maximum ?? 1, 2_000_000_000);
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return listOf(schema, budget, name);
      case 'object':
        return objectOf(schema, budget);
      default:
        return 1;
    }
  }

  /** Returns the largest of several alternatives. */
  function choiceOf(part: Schema): Schema {
    const several = part.anyOf ?? part.oneOf;
    if (!several) return part;
    const known = choices.get(part);
    if (known) return known;
    const size = (one: Schema) => JSON.stringify(build(one, { bytes: 20_000, values: 200 })).length;
    const chosen = choiceOf(several.reduce((best, one) => (size(one) > size(best) ? one : best)));
    choices.set(part, chosen);
    return chosen;
  }

  function sizesOf(schema: Schema, name: string): { least: Budget; most: Budget } {
    const known = sizes.get(schema);
    if (known) return known;
    const sizeOf = (budget: Budget): Budget => {
      const text = JSON.stringify(build(schema, budget, name));
      return { bytes: Buffer.byteLength(text), values: valuesIn(text) };
    };
    const found = { least: sizeOf({ bytes: 0, values: 0 }), most: sizeOf({ bytes: limits.bytes / 20, values: limits.values / 20 }) };
    sizes.set(schema, found);
    return found;
  }

  function countOf(item: Schema, budget: Budget, name: string, keyBytes: number): number {
    const { least, most } = sizesOf(item, name);
    const each = shape === 'entries' ? least : most;
    return Math.floor(Math.min(limits.entries, budget.bytes / (each.bytes + keyBytes + 1), budget.values / each.values));
  }

  function listOf({ items = {}, minItems = 1, maxItems = limits.entries }: Schema, budget: Budget, name: string): unknown[] {
    const length = Math.max(minItems, Math.min(maxItems, countOf(items, budget, name, 0)));
    return Array.from({ length }, () => build(items, { bytes: budget.bytes / length - 1, values: budget.values / length }, name));
  }

  function objectOf({ properties, required = [], additionalProperties }: Schema, budget: Budget): object {
    if (!properties) return recordOf(typeof additionalProperties === 'object' ? additionalProperties : {}, budget);
    const left = { ...budget };
    // Small fields first: the others share the rest of the budget.
    const built = Object.entries(properties).filter(([name]) => !(name in named) || named[name] !== undefined);
    const fields = built.map(([name, field]) => ({ name, field, ...sizesOf(field, name) }));
    fields.sort((a, b) => a.most.bytes - b.most.bytes);
    const made: [string, unknown][] = [];
    for (const [index, { name, field, least }] of fields.entries()) {
      const still = fields.length - index;
      const share = { bytes: left.bytes / still - name.length - 4, values: left.values / still };
      if (!required.includes(name) && (share.bytes < least.bytes || share.values < least.values)) continue;
      const value = build(field, share, name);
      made.push([name, value]);
      left.bytes -= Buffer.byteLength(JSON.stringify(value)) + name.length + 4;
      left.values -= least.values;
    }
    return Object.fromEntries(made);
  }

  /** Entries of a record by id contain their id, where they have one. */
  function recordOf(item: Schema, budget: Budget): object {
    const count = Math.max(1, countOf(item, budget, '', 10));
    const each = { bytes: budget.bytes / count - 10, values: budget.values / count };
    const hasId = 'id' in (choiceOf(item).properties ?? {});
    return Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const value = build(item, each);
        return [`k${index}`, hasId ? { ...(value as object), id: `k${index}` } : value];
      }),
    );
  }
}

function valuesIn(json: string): number {
  return 1 + (json.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[[{,]/g)?.length ?? 0);
}

function textOf({ format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, { bytes }: Budget): string {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'email') return 'ann@example.com';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'uri') return 'https://93.184.215.14/v1';
  const length = Math.min(maxLength, Math.max(minLength, Math.floor((bytes - 2) / bytesOfMark)));
  if (pattern !== undefined || maxLength <= longestId) return 'x'.repeat(Math.min(length, longestId));
  return marks.repeat(Math.ceil(length / marks.length)).slice(0, length);
}
