import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { StorageUse } from '../../../contract/storage.ts';
import { measuredTables, unmeasuredTables } from '../../../server/modules/storage/measured-tables.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';
import { startServer } from '../../support/start-server.ts';

const mebibyte = 1024 * 1024;
const quota = 16 * mebibyte;
/** What small writes of one account may exceed the limit by on one node. */
const bound = mebibyte;

const models = setUpModelServer({ kind: 'text', text: 'Done.' });
const { database, server } = setUpServerOnDatabase(
  () => ({
    ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
    ...{ ARTEL_ACCOUNT_MB: '16', ARTEL_ACCOUNT_PROJECTS: '3', ARTEL_ACCOUNT_PIPELINES: '40' },
  }),
  { ownProcess: 'A hundred of the largest writes load it.' },
);

/** Text that PostgreSQL cannot compress. */
const text = (bytes: number) =>
  randomBytes(Math.ceil((bytes * 3) / 4))
    .toString('base64')
    .slice(0, bytes);
const use = async (account: RunAccount) => (await account.call<StorageUse>('GET', '/storage')).body;
const bytesOf = ({ kinds }: StorageUse, kind: string) => kinds.find((one) => one.kind === kind)?.bytes ?? 0;

/** Columns with one of a few words, or with a hash. */
const short = new Set([
  ...[
    'status',
    'state',
    'kind',
    'type',
    'reason',
    'problem',
    'effect',
    'policy',
    'installs',
    'forge',
    'finish',
    'cause',
    'outcome',
    'overlap',
    'missed',
    'filled_by',
    'paused_reason',
    'language',
    'provider',
    'provider_type',
  ],
  ...[
    'relationship_type',
    'source',
    'sha',
    'base_sha',
    'sha256',
    'input_hash',
    'request_hash',
    'token_hash',
    'pinned_hash',
    'current_hash',
  ],
  ...['key_last4', 'api_key_last4', 'token_last4'],
]);

/** Gives a file to a run and starts it. Returns the refused answer of either, or null. */
async function startWithFile(account: RunAccount, pipelineId: string, bytes: number): Promise<{ status: number; body: ErrorBody } | null> {
  const { status, body: set } = await account.call<{ id: string }>('POST', '/inputSet', { projectId: 'default' });
  if (status !== 201) return { status, body: set as unknown as ErrorBody };
  const put = await fetch(`${server.url}/api/inputSet/${set.id}/file?path=a.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${account.accessToken}`, 'content-type': 'application/octet-stream', 'accept-language': 'en' },
    body: text(bytes),
  });
  if (put.status !== 200) return { status: put.status, body: (await put.json()) as ErrorBody };
  const started = await account.call<ErrorBody>('POST', '/PipelineExecution/start', {
    ...{ pipelineId, inputData: { task: 'Read' }, inputSetId: set.id },
  });
  return started.status === 202 ? null : started;
}

test('G8.01 bodies of webhooks that wait count towards the account: what does not fit is refused with a pause, and its sender repeats it', async () => {
  const ann = await signUp(server.url);
  const steps = [{ name: 'Ask', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }];
  const { body: pipeline } = await ann.call<{ id: string }>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const release = { pipelineId: pipeline.id, slug: 'team', title: 'A team', task: 'Read it' };
  const { body: team } = await ann.call<{ id: string }>('POST', '/project/default/released-teams', release);
  const settings = { kind: 'webhook', scheme: 'bearer' };
  const creation = { name: 'In', teamId: team.id, budget: { calls: 100 }, overlap: 'queue', settings };
  const { body: hook } = await ann.call<{ id: string; secret: string }>('POST', '/project/default/triggers', creation);
  const deliver = async (number: number, length: number) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${hook.secret}`, 'idempotency-key': `${number}` };
    const answer = await fetch(`${server.url}/hooks/${hook.id}`, { method: 'POST', headers, body: JSON.stringify({ text: text(length) }) });
    const { outcome, reason } = (await answer.json()) as { outcome?: string; reason?: string };
    return { status: answer.status, outcome, reason, retryAfter: answer.headers.get('retry-after') };
  };
  expect(await deliver(0, 10)).toMatchObject({ status: 202, outcome: 'started' });
  let last = await deliver(1, 900_000);
  let waiting = 0;
  // Twenty events may wait, and this many bodies do not fit.
  for (; last.status === 202 && waiting < 19; waiting += 1) last = await deliver(waiting + 2, 900_000);
  expect(last).toEqual({ status: 503, outcome: 'refused', reason: 'quota', retryAfter: '600' });
  expect(waiting).toBeGreaterThan(10);
  expect((await use(ann)).usedBytes).toBeLessThan(quota + bound);
});

test('G8.01 G8.60 an account that starts one run after another with files is refused at its limit, and others are not', async () => {
  const [ann, ben] = [await signUp(server.url), await signUp(server.url)];
  const pipeline = await ann.pipeline('assistant');
  let refused: Awaited<ReturnType<typeof startWithFile>> = null;
  let started = 0;
  for (; refused === null && started < 12; started += 1) refused = await startWithFile(ann, pipeline.id, 3 * mebibyte);

  expect(refused).toMatchObject({ status: 422, body: { code: 'quota_reached', details: { reason: 'inputs', limitBytes: quota } } });
  expect(refused?.body.message).toBe(
    'The account stores 16 of 16 MiB, and this needs more than is free. Files given to runs take the most, 16 MiB. They go with their runs: delete old runs in the account window, under Storage.',
  );
  const used = await use(ann);
  expect(used.kinds[0]?.kind).toBe('inputs');
  expect(used.usedBytes).toBeGreaterThan(15 * mebibyte);
  expect(used.usedBytes).toBeLessThan(quota + bound);
  expect(used).toMatchObject({ state: used.usedBytes < quota ? 'near' : 'full', eventsKeptDays: 365 });

  expect(await startWithFile(ben, (await ben.pipeline('assistant')).id, 3 * mebibyte)).toBeNull();
  const ofBen = await use(ben);
  expect(ofBen.usedBytes).toBeLessThan(5 * mebibyte);
  expect(ofBen.state).toBe('calm');
});

test('G8.01 a hundred of the largest writes at once do not exceed the limit', async () => {
  const ann = await signUp(server.url);
  const agent = ann.agent('assistant');
  const large = () => ({
    ...{ name: 'Large', projectId: 'default', configuration: JSON.stringify({ text: text(600 * 1024) }) },
    steps: [{ name: 'One', agentId: agent.id }],
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => ann.call<ErrorBody>('POST', '/Pipeline', large())));
  const refused = answers.filter(({ status }) => status !== 201);
  // A busy machine also refuses for now.
  const expected = ['quota_reached', 'too_many_bodies', 'too_many_requests', 'busy', 'unavailable'];
  expect(refused.filter(({ body }) => !expected.includes(body.code))).toEqual([]);
  expect((await use(ann)).usedBytes).toBeLessThan(quota + bound);

  const created = answers.find(({ status }) => status === 201)?.body as unknown as { id: string };
  const starts = await Promise.all(
    Array.from({ length: 100 }, () =>
      ann.call<ErrorBody>('POST', '/PipelineExecution/start', { pipelineId: created.id, inputData: { task: text(90 * 1024) } }),
    ),
  );
  expect(starts.filter(({ status }) => status === 202).length).toBeLessThan(100);
  await Promise.all(
    starts
      .filter(({ status }) => status === 202)
      .map(({ body }) => ann.until((body as unknown as Execution).id, ({ status }) => status === 'completed')),
  );
  // A run that has begun stores its answers and its history item.
  expect((await use(ann)).usedBytes).toBeLessThan(quota * 1.5);
});

test('G8.02 a run that has begun ends in a full account with all its steps, and the removal of old runs frees it', async () => {
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant', 'developer');
  models.answer({ kind: 'hang' });
  const running = await ann.start(pipeline, 'Long work');
  while ((await startWithFile(ann, pipeline.id, 3 * mebibyte)) === null);
  models.answer({ kind: 'text', text: text(200 * 1024) });
  models.release('Done.');
  const ended = await ann.until(running.id, ({ status }) => status === 'completed');
  expect(ended.steps.map(({ status }) => status)).toEqual(['completed', 'completed']);

  for (const { id } of (await ann.call<Execution[]>('GET', '/PipelineExecution')).body)
    await ann.until(id, ({ status }) => status === 'completed');
  expect(bytesOf(await use(ann), 'inputs')).toBeGreaterThan(9 * mebibyte);
  expect(await startWithFile(ann, pipeline.id, 3 * mebibyte)).toMatchObject({ body: { code: 'quota_reached' } });
  const freed = await ann.call<{ removed: number }>('DELETE', '/storage/runs?olderThanDays=0');
  expect(freed.body.removed).toBeGreaterThan(3);
  expect(bytesOf(await use(ann), 'inputs')).toBeLessThan(4 * mebibyte);
  expect(await startWithFile(ann, pipeline.id, 3 * mebibyte)).toBeNull();
});

test('G8.02 a full account may still be read, put in order and emptied', async () => {
  const ann = await signUp(server.url);
  const pipeline = await ann.pipeline('assistant');
  while ((await startWithFile(ann, pipeline.id, 3 * mebibyte)) === null);
  const { body: project } = await ann.call<{ id: string }>('GET', '/project/default');
  expect((await ann.call('PUT', `/project/${project.id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await ann.call('GET', '/PipelineExecution')).status).toBe(200);
  expect((await ann.call('DELETE', `/Pipeline/${pipeline.id}`)).status).toBe(204);
});

test('G8.03 projects and pipelines of an account are counted, also when they are made at once', async () => {
  const ann = await signUp(server.url);
  const projects = await Promise.all(
    Array.from({ length: 10 }, (_, at) => ann.call<ErrorBody>('POST', '/project', { name: `Project ${at}` })),
  );
  expect(projects.filter(({ status }) => status === 201)).toHaveLength(2);
  const refused = projects.find(({ status }) => status === 422);
  expect(refused?.body).toMatchObject({ code: 'quota_reached', details: { reason: 'count_projects', limit: 3 } });
  expect(refused?.body.message).toBe('You have 3 projects, as many as an account may have. Delete one that you no longer need.');
  const inRussian = await ann.call<ErrorBody>('POST', '/project', { name: 'Проект' }, { 'accept-language': 'ru' });
  expect(inRussian.body.message).toBe('У вас 3 проектов, больше в аккаунте быть не может. Удалите проект, который больше не нужен.');

  const steps = [{ name: 'One', agentId: ann.agent('assistant').id }];
  const create = () => ann.call<ErrorBody>('POST', '/Pipeline', { name: 'One', projectId: 'default', steps });
  const pipelines = await Promise.all(Array.from({ length: 50 }, create));
  expect(pipelines.filter(({ status }) => status === 201)).toHaveLength(40);
  expect(await use(ann)).toMatchObject({ projects: { count: 3, limit: 3 }, pipelines: { count: 40, limit: 40 } });
  expect((await ann.call<{ removed: number }>('DELETE', '/storage/pipelines?olderThanDays=0')).body.removed).toBe(40);
  expect((await create()).status).toBe(201);
});

test('K4.16 more calls of a team than an account may have pipelines are no reason to refuse one, and a release needs room', async () => {
  const ann = await signUp(server.url);
  const agent = ann.agent('assistant');
  const [cheap, large] = await Promise.all(
    [1, 600 * 1024].map(async (bytes) => {
      const configuration = JSON.stringify({ text: text(bytes) });
      const pipeline = { name: 'One', projectId: 'default', configuration, steps: [{ name: 'One', agentId: agent.id }] };
      return (await ann.call<{ id: string }>('POST', '/Pipeline', pipeline)).body.id;
    }),
  );
  const release = (slug: string, pipelineId = cheap) =>
    ann.call<ErrorBody>('POST', '/project/default/released-teams', { pipelineId, slug, title: slug, task: 'Do it', atOnce: 100 });
  expect((await release('calls')).status).toBe(201);
  for (let at = 0; at < 45; at += 1) {
    const { status, body } = await ann.call<Execution>('POST', '/team/calls/runs', {});
    expect(status).toBe(202);
    await ann.until(body.id, (run) => run.status === 'completed');
  }
  expect((await use(ann)).pipelines).toEqual({ count: 2, limit: 40 });

  const before = bytesOf(await use(ann), 'pipelines');
  let refused = await release('large-0', large);
  expect([refused.status, bytesOf(await use(ann), 'pipelines') - before]).toEqual([201, expect.closeTo(600 * 1024, -5)]);
  for (let at = 1; refused.status === 201 && at < 40; at += 1) refused = await release(`large-${at}`, large);
  expect(refused).toMatchObject({ status: 422, body: { code: 'quota_reached', details: { reason: 'pipelines' } } });
  expect((await use(ann)).usedBytes).toBeLessThan(quota + bound);
}, 60_000);

test('G8.01 a removed pipeline leaves nothing of its content', async () => {
  const ann = await signUp(server.url);
  const steps = [{ name: 'One', agentId: ann.agent('assistant').id }];
  const large = { name: 'Large', projectId: 'default', configuration: JSON.stringify({ text: text(500 * 1024) }), steps };
  const { body: pipeline } = await ann.call<{ id: string }>('POST', '/Pipeline', large);
  expect(bytesOf(await use(ann), 'pipelines')).toBeGreaterThan(500 * 1024);
  await ann.call('DELETE', `/Pipeline/${pipeline.id}`);
  expect(bytesOf(await use(ann), 'pipelines')).toBeLessThan(5 * 1024);
});

test('G8.01 every table of the database is measured, or is known to need no measure', async () => {
  const { rows } = await database.pool.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  const known = [...Object.keys(measuredTables), ...unmeasuredTables];
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  const columns = await database.pool.query<{ place: string }>(
    "SELECT table_name || '.' || column_name AS place FROM information_schema.columns WHERE table_schema = 'public' AND data_type IN ('jsonb', 'bytea', 'text', 'ARRAY') AND table_name NOT IN (SELECT viewname FROM pg_views WHERE schemaname = 'public')",
  );
  const measured = Object.entries(measuredTables).flatMap(([table, { texts = [], json = [], known: bytes }]) =>
    bytes === undefined ? [...texts, ...json].map((column) => `${table}.${column}`) : [`${table}.*`],
  );
  const left = columns.rows
    .map(({ place }) => place)
    .filter((place) => !measured.includes(place) && !measured.includes(`${place.split('.')[0]}.*`))
    .filter((place) => !unmeasuredTables.includes(place.split('.')[0] ?? '') && !short.has(place.split('.')[1] ?? ''));
  expect(left).toEqual([]);
});

test('G8.04 below the floor of free disk inputs and starts get 507, while reads and removals work', async () => {
  const own = await startServer({ ownDatabase: true, env: { ARTEL_CLIENT: 'off', ARTEL_FREE_DISK_MB: '0' } });
  const ann = await signUp(own.url);
  const pipeline = await ann.pipeline('assistant');
  const full = await own.restart({ ARTEL_FREE_DISK_MB: '100000000' });
  try {
    const there = ann.at(full);
    const start = { pipelineId: pipeline.id, inputData: { task: 'Read' } };
    const calls = [
      there.call<ErrorBody>('POST', '/PipelineExecution/start', start),
      there.call<ErrorBody>('POST', '/inputSet', { projectId: 'default' }),
    ];
    for (const { status, body } of await Promise.all(calls)) expect([status, body.code]).toEqual([507, 'storage_full']);
    expect((await there.call('GET', `/Pipeline/${pipeline.id}`)).status).toBe(200);
    expect((await there.call('DELETE', `/Pipeline/${pipeline.id}`)).status).toBe(204);
  } finally {
    await full.stop();
  }
});
