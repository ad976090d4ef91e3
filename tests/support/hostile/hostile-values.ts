import fc from 'fast-check';
import { z } from 'zod';

type Schema = {
  type?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
};

/** Texts that often break servers: half a surrogate pair, NUL, names from Object.prototype, markup, header breaks, paths. */
const nasty = [
  '',
  '\ud800',
  'a\udc00b',
  '\u0000',
  '__proto__',
  'constructor',
  'toString',
  '<img src=x>',
  'a\r\nb: c',
  "';--",
  '../../etc',
  '😀',
];
/** The first and last moments of several date types, and invalid moments. */
const moments = [
  '2026-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59Z',
  '2026-02-29T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '+275760-09-13T00:00:00Z',
  `2026-01-01T00:00:00.${'9'.repeat(400)}Z`,
];
const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 30 }), fc.lorem({ maxCount: 3 }));
const numbers = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324, -1e308),
  fc.integer(),
);

/** Any JSON, including nested and repeated values and names from Object.prototype. */
export const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 4 }), text, numbers, fc.array(fc.constant({}), { maxLength: 50 }));

/**
 * Returns values that nearly fit a schema, so that many pass: limits of ranges, texts from `nasty`, ids from `ids`. A few parts
 * are arbitrary JSON.
 */
export function hostileValues(schema: z.ZodType, ids: readonly string[]): fc.Arbitrary<unknown> {
  return of(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema);

  function of(part: Schema): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: 24, arbitrary: fitting(part) }, { weight: 1, arbitrary: anyJson });
  }

  function fitting(part: Schema): fc.Arbitrary<unknown> {
    const choices = part.anyOf ?? part.oneOf;
    if (choices) return fc.oneof(...choices.map(of));
    if (part.enum) return fc.constantFrom(...part.enum);
    if ('const' in part) return fc.constant(part.const);
    switch (part.type) {
      case 'string':
        return string(part);
      case 'integer':
        return fc.oneof(edges(part), fc.integer({ min: whole(part.minimum, 0), max: whole(part.maximum, 2 ** 53 - 1) }));
      case 'number':
        return fc.oneof(edges(part), numbers);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(of(part.items ?? {}), { maxLength: 4 });
      case 'object':
        return object(part);
      default:
        return anyJson;
    }
  }

  function string(part: Schema): fc.Arbitrary<unknown> {
    if (part.format === 'uuid') return fc.constantFrom(...ids, ...ids.map((id) => id.toUpperCase()));
    if (part.format === 'email') return fc.emailAddress();
    if (part.format === 'uri')
      return fc.constantFrom('https://93.184.215.14/v1', 'https://127.0.0.1/', 'http://[::1]:1', 'https://a:b@93.184.215.14');
    if (part.format === 'date-time') return fc.constantFrom(...moments);
    return fc.oneof(text, fc.constant('x'.repeat(Math.min(part.maxLength ?? 50, 5_000))));
  }

  function edges({ minimum, maximum }: Schema): fc.Arbitrary<number> {
    return fc.constantFrom(minimum ?? 0, maximum ?? 2 ** 53 - 1);
  }

  function object(part: Schema): fc.Arbitrary<unknown> {
    const { additionalProperties: more, properties = {}, required = [] } = part;
    const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner)])), {
      requiredKeys: required,
    });
    if (typeof more !== 'object') return known;
    return fc.dictionary(fc.oneof(text, fc.constantFrom(...ids)), of(more), { maxKeys: 4 });
  }
}

function whole(limit: number | undefined, otherwise: number): number {
  return limit === undefined || !Number.isSafeInteger(limit) ? otherwise : limit;
}
