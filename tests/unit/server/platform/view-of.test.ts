import { expect, test } from 'vitest';
import { z } from 'zod';
import { viewOf } from '../../../../server/platform/database/view-of.ts';

const show = viewOf(
  z.object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    note: z.string().optional(),
    language: z.string().nullish(),
    hasKey: z.boolean(),
  }),
);
const moment = new Date('2026-11-26T10:00:00.000Z');

test('a view has the keys of its schema, and no other column of the row', () => {
  const row = { id: 'one', createdAt: moment, endedAt: moment, note: 'seen', language: 'en', hasKey: true, keySealed: 'secret' };
  expect(show(row)).toEqual({
    id: 'one',
    createdAt: moment.toISOString(),
    endedAt: moment.toISOString(),
    note: 'seen',
    language: 'en',
    hasKey: true,
  });
});

test('a null is shown where the schema allows it, and otherwise its key is left out', () => {
  const row = { id: 'one', createdAt: moment, endedAt: null, note: null, language: null, hasKey: true };
  expect(show(row)).toEqual({ id: 'one', createdAt: moment.toISOString(), endedAt: null, language: null, hasKey: true });
});

test('values that are given beside a row replace those of the row', () => {
  const row = { id: 'one', createdAt: moment, endedAt: null, note: 'stored', language: null };
  expect(show(row, { hasKey: false, note: null })).toEqual({
    id: 'one',
    createdAt: moment.toISOString(),
    endedAt: null,
    language: null,
    hasKey: false,
  });
});
