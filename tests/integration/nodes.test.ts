import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNodes, type Nodes } from '../../server/platform/nodes/nodes.ts';
import { openTestDatabase, type TestDatabase } from '../support/open-test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.remove());
beforeEach(() => database.pool.query('DELETE FROM nodes'));

const listed = async () => (await database.pool.query<{ id: string }>('SELECT id FROM nodes')).rows.map(({ id }) => id);

function node(more: { alone?: boolean } = {}): Nodes & { taken: () => Promise<string>; lost: () => Promise<void> } {
  const nodes = createNodes({ pool: database.pool, newId: v7, alone: false, log: { warn: () => {} }, beatMs: 10, ...more });
  let takers: ((id: string) => void)[] = [];
  nodes.onTakeUp(async (id) => {
    for (const taker of takers) taker(id);
    takers = [];
  });
  const lost = new Promise<void>((resolve) => nodes.onLost(resolve));
  return { ...nodes, taken: () => new Promise((resolve) => takers.push(resolve)), lost: () => lost };
}

test('R23.01 a node joins, looks for work that nobody does, and leaves no trace when it goes', async () => {
  const one = node();
  const looked = one.taken();
  await one.launch();
  expect(await looked).toBe(one.id());
  expect(await listed()).toEqual([one.id()]);
  await one.leave();
  expect(await listed()).toEqual([]);
});

test('R23.01 a node that falls silent is removed by the others, who then look for its work', async () => {
  const silent = v7();
  await database.pool.query('INSERT INTO nodes (id) VALUES ($1)', [silent]);
  const one = node();
  await one.launch();
  for (let looks = 0; (await listed()).includes(silent); looks += 1) {
    expect(looks).toBeLessThan(10);
    await one.taken();
  }
  expect(await listed()).toEqual([one.id()]);
  await one.leave();
});

test('R23.01 a node whose beat grows stays', async () => {
  const [one, two] = [node(), node()];
  await Promise.all([one.launch(), two.launch()]);
  for (let looks = 0; looks < 5; looks += 1) await Promise.all([one.taken(), two.taken()]);
  expect((await listed()).sort()).toEqual([one.id(), two.id()].sort());
  await Promise.all([one.leave(), two.leave()]);
});

test('R23.01 a node that was taken for dead lets its work go and comes back under another name', async () => {
  const one = node();
  await one.launch();
  const before = one.id();
  await database.pool.query('DELETE FROM nodes WHERE id = $1', [before]);
  await one.lost();
  expect(await one.taken()).not.toBe(before);
  expect(await listed()).toEqual([one.id()]);
  await one.leave();
});

test('R23.01 a server that is alone on its database takes whoever is still listed for dead', async () => {
  await database.pool.query('INSERT INTO nodes (id) VALUES ($1)', [v7()]);
  const one = node({ alone: true });
  await one.launch();
  expect(await listed()).toEqual([one.id()]);
  await one.leave();
});
