import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import {
  type CreatedHook,
  type HookCreation,
  type HookDelivery,
  type HookOut,
  hookEvents,
  maxFormerSecrets,
  maxHooks,
} from '../../../contract/hook.ts';
import { lettersTo } from '../../support/read-outbox.ts';
import { startHookReceiver } from '../../support/services/hook-receiver.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const receiver = setUp(startHookReceiver, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }));
const ann = setUpAccount(server);
const hooks = '/project/default/hooks';

/** Each test begins with a receiver that takes everything, and with no hook. */
beforeEach(async () => {
  receiver.answer({ kind: 'status', status: 204 });
  receiver.calls.length = 0;
  for (const { id } of (await ann.call<HookOut[]>('GET', hooks)).body) await ann.call('DELETE', `${hooks}/${id}`);
});

async function addHook(given: Partial<HookCreation> = {}): Promise<CreatedHook> {
  const { status, body } = await ann.call<CreatedHook>('POST', hooks, { url: `${receiver.url}/in`, events: hookEvents, ...given });
  expect(status).toBe(201);
  return body;
}

async function runOnce(task: string): Promise<string> {
  const { id } = await ann.start(await ann.pipeline('assistant'), task);
  await ann.until(id, ({ status }) => status === 'completed');
  return id;
}

const deliveriesOf = async ({ id }: HookOut) => (await ann.call<HookDelivery[]>('GET', `${hooks}/${id}/deliveries`)).body;

/** Waits until the newest delivery fits, and returns it. */
async function newest(hook: HookOut, fits: (one: HookDelivery) => boolean): Promise<HookDelivery> {
  await expect.poll(async () => (await deliveriesOf(hook))[0]).toSatisfy((one) => one !== undefined && fits(one));
  return (await deliveriesOf(hook))[0] as HookDelivery;
}

const hasEnded = ({ status, attempt }: HookDelivery) => status !== 'pending' || attempt > 0;

async function sendTest(hook: HookOut): Promise<HookDelivery> {
  expect((await ann.call('POST', `${hooks}/${hook.id}/test`)).status).toBe(202);
  return newest(hook, hasEnded);
}

test('K6.01 the end of a run reaches its receiver with a signature of Standard Webhooks, a link, and no text', async () => {
  const hook = await addHook();
  const run = await runOnce('Write the secret plan');
  const call = await receiver.until(({ event }) => event.type === 'run.ended');
  expect(new Webhook(hook.secret).verify(call.body, call.headers)).toEqual(call.event);
  expect(() => new Webhook(hook.secret).verify(call.body.replace('completed', 'cancelled'), call.headers)).toThrow();
  expect(call.event.data).toEqual({
    projectId: hook.projectId,
    executionId: run,
    status: 'completed',
    link: `${server.url.replace('127.0.0.1', 'localhost')}/test-project?projectId=${hook.projectId}`,
  });
  expect(call.body.length).toBeLessThan(1_000);
  expect(await newest(hook, hasEnded)).toMatchObject({
    eventId: call.headers['webhook-id'],
    event: 'run.ended',
    status: 'delivered',
    answerStatus: 204,
  });
});

test('K6.01 a receiver that may have texts gets task and question, shortened and well formed, and only events that are ticked', async () => {
  const both = await addHook({ withTexts: true });
  const onlyEnds = await addHook({ url: `${receiver.url}/ends`, events: ['run.ended'] });
  const agent = ann.agent('assistant').id;
  const question = `Which one?${'🦉'.repeat(1_500)}`;
  const steps = [{ name: 'Choose', agentId: agent, nodeId: 'ask', settings: { person: { question } } }];
  const { body: asking } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const run = await ann.start(asking, 'The task');
  const { event } = await receiver.until((call) => call.event.type === 'question.opened');
  expect(event.data).toMatchObject({ executionId: run.id, kind: 'person', title: 'Choose', task: 'The task' });
  expect(String(event.data.text)).toHaveLength(2_000);
  expect(String(event.data.text).isWellFormed()).toBe(true);
  expect(String(event.data.link)).toContain(`&question=${event.data.questionId}`);
  await ann.act(run.id, 'stop');
  await receiver.until((call) => call.path === '/ends' && call.event.data.status === 'cancelled');
  expect((await deliveriesOf(onlyEnds)).map((one) => one.event)).toEqual(['run.ended']);
  expect((await deliveriesOf(both)).map((one) => one.event)).toEqual(['run.ended', 'question.opened']);
});

test('K6.02 a budget that is reached is told once, as a question or as the end that it decides', async () => {
  const hook = await addHook();
  for (const atLimit of ['ask', 'stop']) {
    const { body: budget } = await ann.call<{ id: string }>('PUT', '/budget', { scope: 'user', span: 'month', calls: 1, atLimit });
    const spent = (await ann.call<{ id: string }[]>('GET', '/PipelineExecution')).body.length;
    if (spent === 0) await runOnce('Spends the call');
    const run = await ann.start(await ann.pipeline('assistant', 'qa'), `At the limit: ${atLimit}`);
    const { event } = await receiver.until((call) => call.event.type === 'budget.reached' && call.event.data.executionId === run.id);
    expect(event.data).toMatchObject({ limit: 'calls', span: 'month' });
    expect('questionId' in event.data).toBe(atLimit === 'ask');
    if (atLimit === 'ask') await ann.act(run.id, 'stop');
    const ended = await ann.until(run.id, ({ status }) => status === 'failed' || status === 'cancelled');
    // No call fits, so there is nothing to end with.
    expect(ended.status).toBe(atLimit === 'ask' ? 'cancelled' : 'failed');
    await ann.call('DELETE', `/budget/${budget.id}`);
  }
  const told = (await deliveriesOf(hook)).map(({ event }) => event);
  expect(told.filter((event) => event === 'budget.reached')).toHaveLength(2);
  expect(told).not.toContain('question.opened');
});

test('K6.03 a key in the path of an address is not shown, and stays when the shown address is stored with other settings', async () => {
  const path = '/services/T01AB2CD3/aB3dE5gH7jK9mN1pQ3sT5vW7';
  const hook = await addHook({ url: `${receiver.url}${path}` });
  expect(new URL(hook.url).pathname).toBe('/services/T01AB2CD3/***');
  const changed = await ann.call<HookOut>('PUT', `${hooks}/${hook.id}`, { url: hook.url, withTexts: true });
  expect([changed.body.url, changed.body.withTexts]).toEqual([hook.url, true]);
  expect((await sendTest(hook)).status).toBe('delivered');
  const { rows } = await database.pool.query('SELECT url FROM hooks_out WHERE id = $1', [hook.id]);
  expect(new URL(rows[0].url).pathname).toBe(path);
  expect(JSON.stringify(await deliveriesOf(hook)) + server.logs()).not.toContain('aB3dE5');
});

test('K6.03 an address that holds a key, or is not HTTP, is refused by name, and so is an eleventh hook', async () => {
  for (const url of ['ftp://hooks.example/x', 'no address', 'https://ann:word@hooks.example/', 'https://hooks.example/?token=abc']) {
    const { status, body } = await ann.call<ErrorBody>('POST', hooks, { url, events: ['published'] });
    expect([url, status, body.code, body.details?.reason]).toEqual([url, 422, 'hook_refused', 'address']);
  }
  const metadata = await ann.call<ErrorBody>('POST', hooks, { url: 'https://169.254.169.254/latest', events: ['published'] });
  expect([metadata.status, metadata.body.details?.reason]).toEqual([422, 'host']);
  expect((await ann.call<ErrorBody>('POST', hooks, { url: receiver.url, events: [] })).status).toBe(400);
  const made = await Promise.all(
    Array.from({ length: maxHooks + 2 }, () => ann.call<ErrorBody>('POST', hooks, { url: receiver.url, events: ['published'] })),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(maxHooks);
  for (const { status, body } of made) if (status !== 201) expect([status, body.details?.reason]).toEqual([422, 'limit']);
});

test('K6.03 redirects, failures and endless answers of a receiver are named, and no redirect is followed', async () => {
  const hook = await addHook();
  receiver.answer({ kind: 'status', status: 307, location: `${receiver.url}/elsewhere` });
  expect(await sendTest(hook)).toMatchObject({ status: 'failed', problem: 'redirect', answerStatus: 307 });
  receiver.answer({ kind: 'status', status: 500 });
  expect(await sendTest(hook)).toMatchObject({ status: 'failed', problem: 'status', answerStatus: 500 });
  receiver.answer({ kind: 'endless' });
  expect(await sendTest(hook)).toMatchObject({ status: 'delivered', answerStatus: 200 });
  expect(receiver.calls.map(({ path }) => path)).not.toContain('/elsewhere');
  // As if the name had come to point elsewhere after the address was checked.
  await database.pool.query(`UPDATE hooks_out SET url = 'http://169.254.169.254/' WHERE id = $1`, [hook.id]);
  expect(await sendTest(hook)).toMatchObject({ status: 'failed', problem: 'host', answerStatus: null });
});

test('K6.03 a receiver that is silent, and one that sends its answer byte by byte, are cut within seconds and named', async () => {
  const hooked = [await addHook({ url: `${receiver.url}/silent` }), await addHook({ url: `${receiver.url}/slow` })];
  receiver.answer(({ path }) => ({ kind: path === '/slow' ? 'slow' : 'silent' }));
  const startedAt = performance.now();
  const ended = await Promise.all(hooked.map(sendTest));
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  for (const one of ended) expect(one).toMatchObject({ status: 'failed', problem: 'timeout', answerStatus: null });
});

test('K6.04 a receiver that fails is tried eight times within a day with the same id, and the event can be sent again', async () => {
  const hook = await addHook();
  receiver.answer({ kind: 'status', status: 503 });
  await runOnce('Told late');
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const one = await newest(hook, (delivery) => delivery.attempt === attempt);
    expect(one.status).toBe(attempt === 8 ? 'failed' : 'pending');
    if (one.nextAt !== null) pauses.push(Date.parse(one.nextAt) - Date.parse(one.triedAt ?? ''));
    // The pauses of a day pass at once.
    await database.pool.query('UPDATE hook_deliveries SET next_at = now() WHERE id = $1 AND status = $2', [one.id, 'pending']);
  }
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(20);
  expect(hours).toBeLessThan(24);
  receiver.answer({ kind: 'status', status: 200 });
  const [failed] = await deliveriesOf(hook);
  expect((await ann.call('POST', `${hooks}/${hook.id}/deliveries/${failed?.id}/resend`)).status).toBe(202);
  expect(await newest(hook, ({ status }) => status === 'delivered')).toMatchObject({ attempt: 1, problem: null });
  const ended = receiver.calls.filter(({ event }) => event.type === 'run.ended');
  expect(ended).toHaveLength(9);
  expect(new Set(ended.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed?.eventId]));
  expect(new Set(ended.map(({ body }) => body)).size).toBe(1);
});

test('K6.05 a receiver that takes nothing for three days is switched off and its owner told once, until it is switched on', async () => {
  await database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [ann.userId]);
  const hook = await addHook();
  receiver.answer({ kind: 'status', status: 500 });
  await runOnce('The first failure');
  await newest(hook, ({ attempt }) => attempt === 1);
  const before = await ann.call<HookOut[]>('GET', hooks);
  expect(before.body[0]).toMatchObject({ offSince: null, failingSince: expect.any(String) });
  await database.pool.query("UPDATE hooks_out SET failing_since = now() - interval '3 days 1 minute' WHERE id = $1", [hook.id]);
  await runOnce('The last failure');
  await expect.poll(async () => (await ann.call<HookOut[]>('GET', hooks)).body[0]?.offBecause).toBe('dead');
  expect((await deliveriesOf(hook)).map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  const letters = await lettersTo(server.dataDir, ann.email, 2);
  expect(letters[1]?.text).toContain(new URL(receiver.url).host);

  await runOnce('Not told');
  expect(await deliveriesOf(hook)).toHaveLength(2);
  const [stopped] = await deliveriesOf(hook);
  const refused = await ann.call<ErrorBody>('POST', `${hooks}/${hook.id}/deliveries/${stopped?.id}/resend`);
  expect([refused.status, refused.body.details?.reason]).toEqual([422, 'off']);
  receiver.answer({ kind: 'status', status: 204 });
  const on = await ann.call<HookOut>('PUT', `${hooks}/${hook.id}`, { isOn: true });
  expect(on.body).toMatchObject({ offSince: null, offBecause: null, failingSince: null });
  await ann.call('POST', `${hooks}/${hook.id}/deliveries/${stopped?.id}/resend`);
  await newest(hook, ({ status }) => status === 'delivered');
  expect(await lettersTo(server.dataDir, ann.email, 2)).toHaveLength(2);
});

test('K6.06 a silent receiver holds no run, and a hook that is removed meanwhile fails none', async () => {
  const silent = await addHook();
  receiver.answer({ kind: 'silent' });
  await runOnce('Held by nothing');
  await receiver.until(({ event }) => event.type === 'run.ended');
  await runOnce('Nor this one');
  // The removal has locked the hook and is not committed: the end of the run waits for nothing.
  const removing = await database.pool.connect();
  try {
    await removing.query('BEGIN');
    await removing.query('DELETE FROM hooks_out WHERE id = $1', [silent.id]);
    await runOnce('While the hook is removed');
    await removing.query('COMMIT');
  } finally {
    removing.release();
  }
  expect((await ann.call<HookOut[]>('GET', hooks)).body).toEqual([]);
});

test('K6.04 a delivery to a receiver of a later version is left to nodes that know it', async () => {
  const hook = await addHook();
  const tried = await sendTest(hook);
  // Such a version has a column for it.
  await database.pool.query('ALTER TABLE hook_deliveries DROP CONSTRAINT hook_deliveries_receiver');
  await database.pool.query(
    `INSERT INTO hook_deliveries (id, event_id, user_id, project_id, event, about, created_at, next_at)
      SELECT $1, gen_random_uuid(), user_id, project_id, event, about, created_at, now() FROM hook_deliveries WHERE id = $2`,
    [hook.id, tried.id],
  );
  expect(await sendTest(hook)).toMatchObject({ status: 'delivered' });
  const { rows } = await database.pool.query('SELECT status, attempt, job_id FROM hook_deliveries WHERE id = $1', [hook.id]);
  expect(rows).toEqual([{ status: 'pending', attempt: 0, job_id: null }]);
});

test('K6.07 a secret that another server key has sealed is named as unreadable', async () => {
  const hook = await addHook();
  await database.pool.query("UPDATE hooks_out SET secret_sealed = 'v1.a.b.c' WHERE id = $1", [hook.id]);
  expect(await sendTest(hook)).toMatchObject({ status: 'failed', problem: 'secret' });
});

const replaceSecret = (hook: HookOut) => ann.call<CreatedHook & ErrorBody>('POST', `${hooks}/${hook.id}/secret`);

test('K6.10 a replaced secret signs beside the new one for a day, and a receiver verifies with either', async () => {
  const hook = await addHook();
  expect(hook.formerSecretUntil).toBeNull();
  const { status, body: replaced } = await replaceSecret(hook);
  expect([status, replaced.id]).toEqual([200, hook.id]);
  expect(replaced.secret).not.toBe(hook.secret);
  const hours = (Date.parse(replaced.formerSecretUntil ?? '') - Date.now()) / 3_600_000;
  expect([hours > 23.9, hours <= 24]).toEqual([true, true]);
  const { secret: _secret, ...shown } = replaced;
  expect((await ann.call<HookOut[]>('GET', hooks)).body).toEqual([shown]);

  await sendTest(hook);
  const [both] = receiver.calls;
  for (const { secret } of [hook, replaced]) expect(new Webhook(secret).verify(both?.body ?? '', both?.headers ?? {})).toEqual(both?.event);
  expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2);

  // As if a day had passed.
  await database.pool.query(
    `UPDATE hooks_out SET former_secrets = jsonb_set(former_secrets, '{0,until}', to_jsonb(now() - interval '1 s')) WHERE id = $1`,
    [hook.id],
  );
  await sendTest(hook);
  const after = receiver.calls[1];
  expect(new Webhook(replaced.secret).verify(after?.body ?? '', after?.headers ?? {})).toEqual(after?.event);
  expect(() => new Webhook(hook.secret).verify(after?.body ?? '', after?.headers ?? {})).toThrow();
  expect((await ann.call<HookOut[]>('GET', hooks)).body[0]?.formerSecretUntil).toBeNull();
});

test('K6.10 ten replacements at once make four secrets that still sign, and a secret that cannot be read is cured by a new one', async () => {
  const hook = await addHook();
  const made = await Promise.all(Array.from({ length: 10 }, () => replaceSecret(hook)));
  const secrets = [hook.secret, ...made.flatMap(({ status, body }) => (status === 200 ? [body.secret] : []))];
  expect(secrets).toHaveLength(maxFormerSecrets + 1);
  for (const { status, body } of made) if (status !== 200) expect([status, body.details?.reason]).toEqual([422, 'secrets']);
  await sendTest(hook);
  const [call] = receiver.calls;
  for (const secret of secrets) expect(new Webhook(secret).verify(call?.body ?? '', call?.headers ?? {})).toEqual(call?.event);

  await database.pool.query(`UPDATE hooks_out SET secret_sealed = 'v1.a.b.c', former_secrets = '[]' WHERE id = $1`, [hook.id]);
  expect(await sendTest(hook)).toMatchObject({ problem: 'secret' });
  const { secret } = (await replaceSecret(hook)).body;
  expect(await sendTest(hook)).toMatchObject({ status: 'delivered' });
  const cured = receiver.calls.at(-1);
  expect(new Webhook(secret).verify(cured?.body ?? '', cured?.headers ?? {})).toEqual(cured?.event);
});
