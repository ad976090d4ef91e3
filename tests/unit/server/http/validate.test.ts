import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../../server/http/api-error.ts';
import { validate } from '../../../../server/http/validate.ts';

const item = z.object({ n: z.number().default(7) });
const schema = z.object({ version: z.number(), list: z.array(item), record: z.record(z.string(), item), short: z.array(item).max(2) });
const many = (length: number) => Array.from({ length }, () => ({}));
const keyed = (length: number) => Object.fromEntries(many(length).map((one, index) => [`k${index}`, one]));

async function errorsOf(value: unknown) {
  try {
    await validate(schema, value, 'en');
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.options.errors;
  }
}

test.each([3, 1_000, 1_001, 2_500])('R19.01 a body with %i entries is read as its schema says', async (length) => {
  const value = { version: 1, list: many(length), record: keyed(length), short: [], more: 'is left out' };
  expect(await validate(schema, value, 'en')).toEqual(schema.parse(value));
});

test('R19.01 a wrong entry is reported with its path, at any depth', async () => {
  const list: object[] = many(2_500);
  list[2_222] = { n: 'x' };
  expect(await errorsOf({ version: 1, list, record: {}, short: [] })).toMatchObject([{ path: 'list.2222.n' }]);
  const record = { ...keyed(2_500), k2001: { n: 'x' } };
  expect(await errorsOf({ version: 1, list: [], record, short: [] })).toMatchObject([{ path: 'record.k2001.n' }]);
});

test('R19.01 wrong fields next to a large collection are reported, and so is a collection that is too large', async () => {
  expect(await errorsOf({ version: 'x', list: many(2_000), record: {}, short: [] })).toMatchObject([{ path: 'version' }]);
  expect(await errorsOf({ version: 1, list: [], record: {}, short: many(2_000) })).toMatchObject([{ path: 'short' }]);
});

test('R19.01 at most fifty wrong fields are reported', async () => {
  expect(await errorsOf({ version: 1, list: Array.from({ length: 5_000 }, () => null), record: {}, short: [] })).toHaveLength(50);
});
