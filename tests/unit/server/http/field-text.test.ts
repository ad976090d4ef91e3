import { expect, test } from 'vitest';
import { z } from 'zod';
import { type RouteName, routes } from '../../../../contract/routes.ts';
import en from '../../../../locales/en/content/server.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/server.json' with { type: 'json' };
import { fieldText } from '../../../../server/http/field-text.ts';

const sentences = { ru: sentencesOf(ru), en: sentencesOf(en) };
const languages = ['ru', 'en'] as const;

/** Values of the wrong type or form. */
const wrongValues = [
  ...[undefined, null, '', ' ', 'x', 'x'.repeat(300_000), '2026-01-31', '1900-01-01', '1900-01-01T00:00:00Z', 'é', '[', 'toString'],
  ...[-1, 0.5, 1e15, 1e300, Number.NaN, true, {}, [], [null], [1], Array.from({ length: 20_000 }, () => 'x'), { x: 'y'.repeat(300_000) }],
];

const schemas = (Object.keys(routes) as RouteName[]).flatMap((name): [string, z.ZodType][] =>
  (['params', 'query', 'body'] as const).flatMap((part): [string, z.ZodType][] => {
    const schema = (routes[name] as { [key in typeof part]?: z.ZodType })[part];
    return schema ? [[`${name} ${part}`, schema]] : [];
  }),
);

test('R19.01 every wrong field of every call has a plain sentence in the language', () => {
  const codes = new Set<string>();
  const raw = new Set<string>();
  for (const language of languages)
    for (const [name, schema] of schemas)
      for (const value of wrongValues)
        for (const sent of [value, filled(schema, value)])
          for (const issue of schema.safeParse(sent, { error: fieldText(language) }).error?.issues ?? []) {
            codes.add(issue.code);
            if (!sentences[language].some((sentence) => sentence.test(issue.message))) raw.add(`${name} ${language}: ${issue.message}`);
          }
  expect([...raw]).toEqual([]);
  expect([...codes]).toEqual(
    expect.arrayContaining(['invalid_type', 'invalid_value', 'too_small', 'too_big', 'invalid_format', 'invalid_union', 'custom']),
  );
});

const rare: [string, z.ZodType, unknown][] = [
  ['unknown keys', z.strictObject({}), { extra: 1 }],
  ['a wrong key', z.record(z.string().max(1), z.number()), { long: 1 }],
  ['a multiple', z.number().multipleOf(5), 3],
  ['an exclusive range', z.number().gt(5).or(z.never()), 5],
  ['a set', z.set(z.string()).min(2), new Set(['x'])],
  ['a rule without a name', z.string().refine(() => false), 'x'],
  ['a web address', z.url(), 'x'],
  ['a kind that is unknown', z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }],
];

test.each(rare)('R19.01 %s has a plain sentence too', (_, schema, value) => {
  for (const language of languages) {
    const [issue] = schema.safeParse(value, { error: fieldText(language) }).error?.issues ?? [];
    expect(sentences[language].some((sentence) => sentence.test(issue?.message ?? ''))).toBe(true);
  }
});

test.each([
  [z.string(), undefined, 'This field is required.', 'Это поле обязательно.'],
  [z.enum(['a', 'b']), 'c', 'Choose one of: a, b.', 'Выберите одно из значений: a, b.'],
  [z.coerce.number().int().max(200), '201', 'The largest value allowed is 200.', 'Наибольшее допустимое значение: 200.'],
  [z.coerce.number().int(), 'ten', 'This must be a number.', 'Здесь должно быть число.'],
  [z.number().int(), 0.5, 'This must be a whole number.', 'Здесь должно быть целое число.'],
  [z.email(), 'x', 'This is not a valid email address.', 'Это не похоже на адрес почты.'],
  [z.uuid(), 'x', 'This is not a valid id. Use a UUID.', 'Это не идентификатор: нужен UUID.'],
  [z.string().min(1), '', 'This must not be empty.', 'Поле не должно быть пустым.'],
])('R19.01 the error of a wrong field says what to send (%#)', (schema, value, english, russian) => {
  expect(schema.safeParse(value, { error: fieldText('en') }).error?.issues[0]?.message).toBe(english);
  expect(schema.safeParse(value, { error: fieldText('ru') }).error?.issues[0]?.message).toBe(russian);
});

/** A value of the schema's shape with the leaf in place of every single value. */
function filled(schema: unknown, leaf: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return filled(schema.unwrap(), leaf);
  if (schema instanceof z.ZodPipe) return filled(schema.in, leaf);
  if (schema instanceof z.ZodArray) return [filled(schema.element, leaf)];
  if (schema instanceof z.ZodRecord) return { x: filled(schema.valueType, leaf) };
  if (!(schema instanceof z.ZodObject)) return leaf;
  return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, filled(field, leaf)]));
}

/** The sentences about fields, as patterns with their placeholders open. */
function sentencesOf(texts: Record<string, string>): RegExp[] {
  return Object.entries(texts)
    .filter(([key]) => key.startsWith('invalid.'))
    .map(([, text]) => new RegExp(`^${text.replace(/[.?]/g, '\\$&').replace(/\{\{\w+\}\}/g, '[^]+')}$`));
}
