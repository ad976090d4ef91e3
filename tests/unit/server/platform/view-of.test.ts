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

test('a null is shown where the schema knows one, and its key is left out elsewhere', () => {
  const row = { id: 'one', createdAt: moment, endedAt: null, note: null, language: null, hasKey: true };
  expect(show(row)).toEqual({ id: 'one', createdAt: moment.toISOString(), endedAt: null, language: null, hasKey: true });
});

test('values that the row has in another form take its place', () => {
  const row = { id: 'one', createdAt: moment, endedAt: null, note: 'stored', language: null };
  expect(show(row, { hasKey: false, note: null })).toEqual({
    id: 'one',
    createdAt: moment.toISOString(),
    endedAt: null,
    language: null,
    hasKey: false,
  });
});
