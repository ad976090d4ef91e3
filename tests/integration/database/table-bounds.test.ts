import { expect, test } from 'vitest';
import { type TableBound, tableBounds } from '../../../server/modules/retention/table-bounds.ts';
import { setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const { database } = setUpServerOnDatabase({});
const bounds: Readonly<Record<string, TableBound>> = tableBounds;

test('R23.01 every table is bounded: a person removes its rows, old ones are thinned, or each row of another table has so many', async () => {
  const { rows } = await database.pool.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  expect(Object.keys(bounds).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('R23.01 what belongs to rows of another table goes with them', async () => {
  const { rows } = await database.pool.query<{ name: string; of: string }>(
    `SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS of FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'`,
  );
  const goesWith = (name: string, of: string) => rows.some((key) => key.name === name && key.of === of);
  const left = Object.entries(bounds).filter(([name, bound]) => 'of' in bound && !goesWith(name, bound.of));
  expect(left).toEqual([]);
});

test('R23.01 what goes with rows of another table is bounded by a person, a number or a task in the end', () => {
  const endOf = (name: string, passed: readonly string[] = []): string => {
    const bound = bounds[name];
    if (bound === undefined || !('of' in bound)) return name;
    return passed.includes(name) ? 'itself' : endOf(bound.of, [...passed, name]);
  };
  expect(Object.keys(bounds).filter((name) => !(endOf(name) in bounds))).toEqual([]);
});
