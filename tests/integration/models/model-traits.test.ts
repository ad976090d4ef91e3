import { beforeEach, expect, test } from 'vitest';
import { accountInRow, createModelTraits as createTraits } from '../../../server/platform/llm/model-traits.ts';
import { setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
const account = 'account';
const createModelTraits = (...options: Parameters<typeof createTraits>) => createTraits(...options).of(account);
const row = accountInRow(account);
const nothing = { refused: [], wants: {}, tools: null, context: null };

beforeEach(async () => {
  await database.pool.query('DELETE FROM model_traits');
});

test('M2.07 what a call has shown is known to another server, and after a restart', async () => {
  const told: unknown[] = [];
  const first = createModelTraits(database.db, (about) => told.push(about));
  await first.learn('llm.example', 'm', { refused: ['stream_options'] });
  await first.learn('llm.example', 'm', { wants: { max_tokens: { as: 'max_completion_tokens' } }, tools: true });
  await first.learn('llm.example', 'm', { tools: true });
  expect(told).toHaveLength(2);
  const known = { refused: ['stream_options'], wants: { max_tokens: { as: 'max_completion_tokens' } }, tools: true, context: null };
  const second = createModelTraits(database.db);
  expect(second.peek('llm.example', 'm')).toEqual(nothing);
  expect(await second.find('llm.example', 'm')).toEqual(known);
  expect(second.peek('llm.example', 'm')).toEqual(known);
  expect(await second.find('other.example', 'm')).toEqual(nothing);
  expect(await second.find('llm.example', 'n')).toEqual(nothing);
});

test('M2.07 what another server learns is known ten minutes later', async () => {
  let now = 0;
  const waiting = createModelTraits(
    database.db,
    () => {},
    () => now,
  );
  expect(await waiting.find('llm.example', 'm')).toEqual(nothing);
  await createModelTraits(database.db).learn('llm.example', 'm', { context: 8_192 });
  expect(await waiting.find('llm.example', 'm')).toEqual(nothing);
  now = 600_001;
  expect(await waiting.find('llm.example', 'm')).toEqual({ ...nothing, context: 8_192 });
});

test('M2.07 a model that was not called for thirty days is asked again', async () => {
  await createModelTraits(database.db).learn('llm.example', 'm', { refused: ['temperature'] });
  await database.pool.query("UPDATE model_traits SET seen_at = now() - interval '31 days'");
  expect(await createModelTraits(database.db).find('llm.example', 'm')).toEqual(nothing);
});

test('M2.07 an account fills no more than its part, and an unusable row is none', async () => {
  await database.pool.query(
    "INSERT INTO model_traits (account, host, model, seen_at) SELECT $1, 'llm.example', 'model ' || n, now() - interval '1 hour' FROM generate_series(1, 300) n",
    [row],
  );
  await database.pool.query("INSERT INTO model_traits (account, host, model, refused) VALUES ($1, 'odd.example', 'm', '{}')", [row]);
  const traits = createModelTraits(database.db);
  await traits.learn('llm.example', 'm', { refused: ['temperature'] });
  const { rows } = await database.pool.query('SELECT count(*)::int AS count FROM model_traits WHERE account = $1', [row]);
  expect(rows).toEqual([{ count: 200 }]);
  expect(await createModelTraits(database.db).find('llm.example', 'm')).toEqual({ ...nothing, refused: ['temperature'] });
  expect(await traits.find('odd.example', 'm')).toEqual(nothing);
});

test('M2.07 without its database a server asks its models again', async () => {
  const broken = { execute: () => Promise.reject(new Error('The database is away.')) } as unknown as typeof database.db;
  const traits = createModelTraits(broken);
  expect(await traits.find('llm.example', 'm')).toEqual(nothing);
  await traits.learn('llm.example', 'm', { refused: ['temperature'] });
  expect(await traits.find('llm.example', 'm')).toEqual({ ...nothing, refused: ['temperature'] });
});

test('M2.07 what one account makes a server say changes no call of another account', async () => {
  const traits = createTraits(database.db);
  await traits.of('hostile').learn('llm.example', 'm', { refused: ['temperature'], context: 300, tools: false });
  expect(traits.of('other').peek('llm.example', 'm')).toEqual(nothing);
  expect(await traits.of('other').find('llm.example', 'm')).toEqual(nothing);
  expect(await createTraits(database.db).of('other').find('llm.example', 'm')).toEqual(nothing);
  expect(await createTraits(database.db).of('hostile').find('llm.example', 'm')).toMatchObject({ context: 300 });
  const { rows } = await database.pool.query<{ account: string }>('SELECT account FROM model_traits');
  expect(rows).toEqual([{ account: expect.not.stringContaining('hostile') }]);
});

test('M2.07 two servers that learn of the same model at once keep both', async () => {
  const [first, second] = [createModelTraits(database.db), createModelTraits(database.db)];
  await Promise.all([first.find('llm.example', 'm'), second.find('llm.example', 'm')]);
  await Promise.all([
    first.learn('llm.example', 'm', { refused: ['temperature'], context: 8_192 }),
    second.learn('llm.example', 'm', { refused: ['top_p'], wants: { max_tokens: { value: 100 } } }),
  ]);
  const { refused, ...rest } = await createModelTraits(database.db).find('llm.example', 'm');
  expect(refused.toSorted()).toEqual(['temperature', 'top_p']);
  expect(rest).toEqual({ wants: { max_tokens: { value: 100 } }, tools: null, context: 8_192 });
});

test('M2.07 a server that runs on asks a model again after thirty days as well', async () => {
  let now = 0;
  const traits = createModelTraits(
    database.db,
    () => {},
    () => now,
  );
  await traits.learn('llm.example', 'm', { refused: ['temperature'] });
  await database.pool.query("UPDATE model_traits SET seen_at = now() - interval '31 days'");
  now = 31 * 24 * 3_600_000;
  expect(await traits.find('llm.example', 'm')).toEqual(nothing);
  await traits.learn('llm.example', 'm', { context: 8_192 });
  expect(await createModelTraits(database.db).find('llm.example', 'm')).toEqual({ ...nothing, context: 8_192 });
});
