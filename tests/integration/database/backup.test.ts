import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { callerOf } from '../../support/call-api.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { openTestDatabase, type TestDatabase } from '../../support/open-test-database.ts';
import { signUp } from '../../support/run-account.ts';
import { startScript } from '../../support/run-script.ts';
import { startModelServer } from '../../support/services/model-server.ts';
import { startServer } from '../../support/start-server.ts';

let external: TestDatabase;
let folder: string;
const leftovers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  external = await openTestDatabase();
  await external.pool.query("CREATE ROLE mover LOGIN PASSWORD 'moves'");
  folder = await mkdtemp(join(tmpdir(), 'artel-backup-'));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await external?.remove();
  await rm(folder, { recursive: true });
});
/** Several servers start in one test. */
vi.setConfig({ testTimeout: 180_000 });
afterEach(async () => {
  for (const remove of leftovers.splice(0).reverse()) await remove();
});

let count = 0;
/** Creates a database whose owner has no other rights. */
async function emptyDatabase(): Promise<string> {
  const name = `moved_${++count}`;
  await external.pool.query(`CREATE DATABASE ${name} OWNER mover`);
  const url = new URL(external.connectionString);
  Object.assign(url, { username: 'mover', password: 'moves', pathname: `/${name}` });
  return url.href;
}

const run = (name: 'backup' | 'restore', args: string[], env: Record<string, string>) => startScript(name, args, env).done;
const secretOf = async (dataDir: string) => (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim();
const postgresRuns = (dataDir: string) => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

/** Every row of every table in a backup, as text. */
async function contents(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'rate_limits') ORDER BY 1",
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      all[name] = (await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`)).rows.map(({ row }) => row);
    }
    return all;
  } finally {
    await client.end();
  }
}

test('R10.01 G2.07 a server moves from its own database to another by a backup while it runs and a restore, all users stay signed in, and waiting runs go on', async () => {
  const models = await startModelServer();
  leftovers.push(models.close);
  const env = { ARTEL_CLIENT: 'off', ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' };
  const server = await startServer({ env });
  leftovers.push(server.stop);
  const ann = await signUp(server.url);
  const { id } = ann.agent('assistant');
  const own = { providerType: 'openai', baseUrl: models.url, apiKey: 'sk-of-her-own', model: 'gpt-4', temperature: 0.5, maxTokens: 100 };
  expect((await ann.call('PUT', `/nuroagent/${id}/api-configuration`, own)).status).toBe(200);
  const done = await ann.start(await ann.pipeline('assistant'), 'Two words: "тихая\nрека"\t\\N \\.');
  await ann.until(done.id, ({ status }) => status === 'completed');
  models.answer((call) => (call.number === 3 ? { kind: 'hang' } : { kind: 'text', text: `Answer ${call.number}` }));
  const underWay = await ann.start(await ann.pipeline('assistant', 'assistant'), 'Go on elsewhere');
  await models.call(3);
  const asking = await ann.call<Pipeline>('POST', '/Pipeline', {
    ...{ name: 'Ask', projectId: 'default', links: [{ id: 'ask>next', from: 'ask', to: 'next' }] },
    steps: [
      { name: 'ask', agentId: id, nodeId: 'ask', settings: { person: { question: 'Go on?' } } },
      { name: 'next', agentId: id, nodeId: 'next' },
    ],
  });
  const waiting = await ann.start(asking.body, 'Ask elsewhere');
  await ann.until(waiting.id, ({ openQuestions }) => openQuestions === 1);

  const file = join(folder, 'moved.backup');
  const taken = await run('backup', [file], { DATA_DIR: server.dataDir });
  expect(taken).toMatchObject({ code: 0, output: expect.stringMatching(/^Backed up \d+ rows of \d+ tables into /) });
  expect(taken.output).toContain(join(server.dataDir, 'secret.key'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  await server.kill('SIGTERM');

  const settings = { DATABASE_URL: await emptyDatabase(), ARTEL_SECRET_KEY: await secretOf(server.dataDir) };
  expect(await run('restore', [file], settings)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Restored \d+ rows of \d+ tables, /),
  });
  models.answer((call) => ({ kind: 'text', text: `Answer ${call.number}` }));
  const moved = await startServer({ env: { ...env, ...settings } });
  leftovers.push(moved.stop);
  expect(await callerOf(moved.url, ann.accessToken).ask('auth.profile')).toMatchObject({ email: ann.email });
  const there = { ...ann, ...(await asElsewhere(moved.url, ann)) };
  expect((await there.details(done.id)).steps[0]).toMatchObject({ status: 'completed', result: 'Answer 1' });
  expect((await there.until(underWay.id, ({ status }) => status === 'completed')).steps.map(({ result }) => result)).toEqual([
    'Answer 2',
    'Answer 4',
  ]);
  const elsewhere = ann.at(moved);
  const [question] = (await elsewhere.call<Question[]>('GET', '/question?state=open')).body;
  expect((await elsewhere.call('POST', `/question/${question?.id}/answer`, { action: 'answer', text: 'Yes' })).status).toBe(200);
  const answered = await elsewhere.until(waiting.id, ({ status }) => status === 'completed');
  expect(answered.steps.map(({ result }) => result)).toEqual(['Yes', 'Answer 5']);
  expect(models.calls.map(({ headers }) => headers.authorization)).toEqual(models.calls.map(() => 'Bearer sk-of-her-own'));
});

test('R10.01 a backup of a stopped server starts its database, copies and stops it, and a restore into an empty folder brings all rows back', async () => {
  const server = await startServer({ env: { ARTEL_CLIENT: 'off' } });
  leftovers.push(server.stop);
  const ann = await signUp(server.url);
  await server.kill('SIGTERM');
  const file = join(folder, 'whole.backup');
  const taken = await run('backup', [file, '--with-secret'], { DATA_DIR: server.dataDir });
  expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('holds the secret') });
  expect(postgresRuns(server.dataDir)).toBe(false);

  const dataDir = join(folder, 'fresh data');
  expect(await run('restore', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect(postgresRuns(dataDir)).toBe(false);
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
  const fresh = await startServer({ dataDir, env: { ARTEL_CLIENT: 'off' } });
  leftovers.push(fresh.stop);
  expect(await callerOf(fresh.url, ann.accessToken).ask('auth.profile')).toMatchObject({ email: ann.email });
});

test('R10.01 a restore is refused, and changes nothing, where there is data, another secret or a running server', async () => {
  const server = await startServer({ env: { ARTEL_CLIENT: 'off' } });
  leftovers.push(server.stop);
  await signUp(server.url);
  const file = join(folder, 'refused.backup');
  await run('backup', [file], { DATA_DIR: server.dataDir });
  const secret = await secretOf(server.dataDir);
  const url = await emptyDatabase();
  const settings = { DATABASE_URL: url, ARTEL_SECRET_KEY: secret };

  expect(await run('restore', [file], { DATA_DIR: server.dataDir })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Restore failed: Another Artel server is running on the data folder .+\n$/),
  });
  const other = await run('restore', [file], { ...settings, ARTEL_SECRET_KEY: 'x'.repeat(40) });
  expect(other).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Restore failed: the backup belongs to another secret\. [^\n]+\n$/),
  });
  expect(await contents(url)).toEqual({});

  expect((await run('restore', [file, '--other-secret'], { ...settings, ARTEL_SECRET_KEY: 'x'.repeat(40) })).code).toBe(0);
  const before = await contents(url);
  expect(before.users).toHaveLength(1);
  const again = await run('restore', [file], settings);
  expect(again).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Restore failed: this database is not empty: --replace [^\n]+\n$/),
  });
  expect(await contents(url)).toEqual(before);

  await signUp(server.url);
  await run('backup', [file, '--force'], { DATA_DIR: server.dataDir });
  const node = await startServer({ env: { ...settings, ARTEL_CLIENT: 'off' } });
  leftovers.push(node.stop);
  const served = await run('restore', [file, '--replace'], settings);
  expect(served).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Restore failed: a server is running on this database[^\n]+\n$/),
  });
  await node.kill('SIGTERM');
  expect((await run('restore', [file, '--replace'], settings)).code).toBe(0);
  expect((await contents(url)).users).toHaveLength(2);
});

test('R10.01 G8.15 an interrupted backup or restore leaves no file and no rows, and the next backup removes the files of a killed backup', async () => {
  const url = await emptyDatabase();
  const settings = { DATABASE_URL: url, ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const server = await startServer({ env: { ...settings, ARTEL_CLIENT: 'off' } });
  leftovers.push(server.stop);
  await signUp(server.url);
  await server.kill('SIGTERM');
  const file = join(folder, 'interrupted.backup');
  const good = join(folder, 'good.backup');
  expect((await run('backup', [good], settings)).code).toBe(0);
  const before = await contents(url);

  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  leftovers.push(() => holder.end());
  await holder.query('BEGIN; LOCK TABLE executions IN ACCESS EXCLUSIVE MODE');
  for (const [name, args] of [
    ['backup', [file]],
    ['restore', [good, '--replace']],
  ] as const) {
    const script = startScript(name, [...args], settings);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'";
    const client = `artel-${name}`;
    await expect.poll(async () => (await external.pool.query(waiting, [client])).rowCount).toBe(1);
    script.kill('SIGTERM');
    expect(await script.done).toEqual({ code: 1, output: expect.stringMatching(/^(Backup|Restore) failed: interrupted\.\n$/) });
  }
  const killed = startScript('backup', [file], settings);
  // The holder's lock stops the backup half-way, so that its partial file is there at the kill.
  const left = async () => (await readdir(folder)).filter((name) => name.startsWith('interrupted'));
  await expect.poll(left).toEqual([expect.stringMatching(/\.partial$/)]);
  killed.kill('SIGKILL');
  await killed.done;
  await holder.query('ROLLBACK');
  expect(await left()).toHaveLength(1);
  expect(await run('backup', [file], settings)).toMatchObject({ code: 0, output: expect.stringContaining('of this name: 1.') });
  expect(await left()).toEqual(['interrupted.backup']);
  await rm(file);
  expect(await contents(url)).toEqual(before);
});

test('R10.01 the nightly backup makes one at its start, says so to its check, and it is restored', async () => {
  await external.pool.query(
    "INSERT INTO leads (id, name, email, consent, source, comment) VALUES (gen_random_uuid(), 'Ann', 'ann@example.com', true, 'test', 'тихая ночь')",
  );
  const secret = { ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const backups = join(folder, 'each night');
  const settings = { ...secret, DATABASE_URL: external.connectionString, ARTEL_BACKUP_FOLDER: backups, TZ: 'UTC' };
  // Half a day away, so that no second night begins while the test runs.
  const nightly = { ...settings, ARTEL_BACKUP_HOUR: String((new Date().getUTCHours() + 12) % 24) };
  const check = () => startScript('nightly-backup', ['--check'], nightly).done;
  expect(await check()).toEqual({ code: 1, output: expect.stringMatching(/^Nightly backup failed: There is no backup .+\.backup\.\n$/) });
  const script = startScript('nightly-backup', [], nightly);
  await expect.poll(() => readdir(backups).catch(() => [])).toEqual([expect.stringMatching(/^artel-\d{4}-\d\d-\d\d\.backup$/)]);
  script.kill('SIGTERM');
  expect((await script.done).code).toBe(0);
  expect(await check()).toEqual({ code: 0, output: '' });

  const url = await emptyDatabase();
  const [made = ''] = await readdir(backups);
  expect(await run('restore', [join(backups, made)], { ...secret, DATABASE_URL: url })).toMatchObject({ code: 0 });
  expect(await contents(url)).toEqual(await contents(external.connectionString));
  expect(await startScript('nightly-backup', [], { ...nightly, ARTEL_BACKUP_HOUR: '24', ARTEL_BACKUP_KEEP: '0' }).done).toEqual({
    code: 1,
    output:
      'Nightly backup failed: ARTEL_BACKUP_HOUR must be a whole number from 0 to 23. ARTEL_BACKUP_KEEP must be a whole number from 1 to 3650.\n',
  });
});

test.each([
  [[], /^Backup failed: say where to: /],
  [['one', 'two'], /^Backup failed: say where to: /],
  [['one', '--with-everything'], /^Backup failed: Unknown option '--with-everything'/],
] as [string[], RegExp][])('R10.01 a backup that is called wrongly says how it is called: %j', async (args, expected) => {
  expect(await run('backup', args, { DATA_DIR: join(folder, 'none') })).toMatchObject({ code: 1, output: expect.stringMatching(expected) });
});

test('R10.01 a backup of a data folder without a database says so and makes none', async () => {
  const dataDir = join(folder, 'none');
  const taken = await run('backup', [join(folder, 'none.backup')], { DATA_DIR: dataDir, ARTEL_SECRET_KEY: 'x'.repeat(40) });
  expect(taken).toEqual({ code: 1, output: `Backup failed: There is no database in ${dataDir}.\n` });
  expect(existsSync(dataDir)).toBe(false);
});

async function asElsewhere(url: string, ann: Awaited<ReturnType<typeof signUp>>) {
  const headers = { authorization: `Bearer ${ann.accessToken}` };
  type Details = Awaited<ReturnType<typeof ann.details>>;
  const details = async (id: string) => (await (await fetch(`${url}/api/PipelineExecution/${id}/details`, { headers })).json()) as Details;
  const until = async (id: string, fits: (now: Details) => boolean) => {
    let now = await details(id);
    await expect
      .poll(async () => {
        now = await details(id);
        return fits(now);
      })
      .toBe(true);
    return now;
  };
  return { details, until };
}

test('R10.01 a backup whose connection is cut in the middle of a table fails, and leaves no half file behind', async () => {
  const url = await emptyDatabase();
  const settings = { DATABASE_URL: url, ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters' };
  const server = await startServer({ env: { ARTEL_CLIENT: 'off', ...settings } });
  leftovers.push(server.stop);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`INSERT INTO leads (id, name, email, consent, source, comment)
    SELECT gen_random_uuid(), 'Ann', 'ann@example.com', true, 'test', repeat('word ', 2000) FROM generate_series(1, 2000)`);
  await client.end();
  const link = await linkToDatabase(url);
  leftovers.push(link.close);
  link.cutAfter(5_000_000);

  const file = join(folder, 'cut.backup');
  const taken = await run('backup', [file], { ...settings, DATABASE_URL: link.url });
  expect(taken).toMatchObject({ code: 1, output: expect.stringMatching(/^Backup failed: /) });
  expect((await readdir(folder)).filter((name) => name.startsWith('cut.'))).toEqual([]);
});
