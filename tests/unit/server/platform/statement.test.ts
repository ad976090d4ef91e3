import { boolean, integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { assignments, defaultsOf } from '../../../../server/platform/database/statement.ts';

const things = pgTable('things', { size: integer('size'), lastSeq: integer('last_seq') });

test('columns are set under the names of the table, and a name that it does not have is refused', () => {
  const set = (values: object) => assignments(things, values, (value) => `<${value}>`);
  expect(set({ size: 1, lastSeq: 2 })).toBe('size = <1>, last_seq = <2>');
  expect(() => set({ size: 1, 'size = 0; --': 2 })).toThrow('The table things has no column "size = 0; --".');
  expect(() => set({ toString: 2 })).toThrow(TypeError);
});

test('a row needs no value for columns that may be null or have a default, but for times that the database sets', () => {
  const table = pgTable('rows', {
    id: integer('id').primaryKey(),
    size: integer('size').notNull(),
    seen: boolean('seen').notNull().default(false),
    endedAt: timestamp('ended_at'),
    createdAt: timestamp('created_at').notNull().defaultNow(),
  });
  expect(defaultsOf(table)).toEqual({ seen: false, endedAt: null });
});
