import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { hookEvents } from '../../../contract/hook.ts';
import { maxPushDevices, type PushDevice, type PushDeviceCreation, type PushState } from '../../../contract/push.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { startPushService } from '../../support/services/push-service.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const service = setUp(startPushService, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' }));
const guarded = setUpServer();
const ann = setUpAccount(server);
const bob = setUpAccount(server);

const devicesOf = async (person: RunAccount) => (await person.call<PushState>('GET', '/push')).body.devices;

/** Each test begins with a push service that takes everything, and with no browser. */
beforeEach(async () => {
  service.answer({ status: 201 });
  service.pushes.length = 0;
  for (const person of [ann, bob]) for (const { id } of await devicesOf(person)) await person.call('DELETE', `/push/${id}`);
});

async function add(person: RunAccount, { path, ...given }: PushDeviceCreation & { path: string }): Promise<PushDevice & { path: string }> {
  const { status, body } = await person.call<PushDevice>('POST', '/push', given);
  expect([status, body]).toEqual([201, expect.anything()]);
  return { ...body, path };
}

async function runOnce(task: string, person = ann): Promise<string> {
  const { id } = await person.start(await person.pipeline('assistant'), task);
  await person.until(id, ({ status }) => status === 'completed');
  return id;
}

const pushTo = ({ path }: { path: string }) => service.until((push) => push.path === path);
const deliveriesOf = async ({ id }: PushDevice) =>
  (await database.pool.query('SELECT status, attempt, problem, answer_status AS answered FROM hook_deliveries WHERE device_id = $1', [id]))
    .rows;
/** Makes waiting tries due, and sends them. */
const tryAgain = async () => {
  await database.pool.query("UPDATE hook_deliveries SET next_at = now() WHERE device_id IS NOT NULL AND status = 'pending'");
};

test('K8.01 the end of a run reaches a browser once, encrypted for it and signed with the key of the server, without words of the task', async () => {
  const device = await add(ann, service.subscribe());
  await runOnce('Write the secret plan');
  const { headers, message, body } = await pushTo(device);
  expect(message).toEqual({
    tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
    title: 'The run has ended.',
    body: expect.any(String),
    path: expect.stringMatching(/^\/test-project\?projectId=[0-9a-f-]{36}$/),
    questionId: null,
  });
  expect(JSON.stringify(message)).not.toContain('secret plan');
  expect(body.toString('latin1')).not.toContain('The run has ended');
  expect(headers).toMatchObject({
    ...{ ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' },
    topic: String(message.tag).replaceAll('-', ''),
  });

  const { publicKey } = (await ann.call<PushState>('GET', '/push')).body;
  const [, token = '', sent] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  expect(sent).toBe(publicKey);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', x, y }] }));
  expect(payload).toMatchObject({ aud: service.url, sub: 'mailto:artel@example.com' });
  await expect.poll(() => deliveriesOf(device)).toEqual([{ status: 'delivered', attempt: 1, problem: null, answered: 201 }]);
  expect(service.pushes).toHaveLength(1);
});

test('K8.01 a question is told in the language of the account with the name of its card, and only events that are chosen', async () => {
  const device = await add(ann, service.subscribe());
  const { body } = await ann.call<PushDevice>('PUT', `/push/${device.id}`, { events: ['question.opened'] });
  expect(body.events).toEqual(['question.opened']);
  const settings = { person: { question: 'The words of the question' } };
  const steps = [{ name: 'Choose', agentId: ann.agent('assistant').id, nodeId: 'ask', settings }];
  const { body: asking } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const run = await ann.start(asking, 'The task');
  const { message, headers } = await pushTo(device);
  const [question] = (await ann.call<Question[]>('GET', `/PipelineExecution/${run.id}/questions`)).body;
  expect(message).toMatchObject({ title: 'Question: Choose', tag: question?.id, questionId: question?.id });
  expect(message.path).toBe(`/test-project?projectId=${question?.projectId}&question=${question?.id}`);
  expect(JSON.stringify(message)).not.toContain('The words');
  expect(headers.urgency).toBe('high');
  await ann.act(run.id, 'stop');
  await expect.poll(() => deliveriesOf(device)).toHaveLength(1);
});

test('K8.01 a question that is closed before its message is sent is not told', async () => {
  const device = await add(ann, service.subscribe());
  service.answer({ status: 500 });
  const steps = [{ name: 'Choose', agentId: ann.agent('assistant').id, nodeId: 'ask', settings: { person: {} } }];
  const { body: asking } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  const run = await ann.start(asking, 'The task');
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ attempt: 1, problem: 'status' })]);
  await ann.call('PUT', `/push/${device.id}`, { events: [] });
  await ann.act(run.id, 'stop');
  service.answer({ status: 201 });
  await tryAgain();
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ status: 'delivered' })]);
  expect(service.pushes).toHaveLength(1);
});

test.each([404, 410])('K8.02 a browser that its push service has forgotten (%i) is removed', async (status) => {
  const device = await add(ann, service.subscribe());
  service.answer({ status });
  await runOnce('The browser is gone');
  await pushTo(device);
  await expect.poll(() => devicesOf(ann)).toEqual([]);
});

test('K8.02 a browser whose subscription was sealed with another secret of the server is removed', async () => {
  const device = await add(ann, service.subscribe());
  await database.pool.query("UPDATE push_devices SET subscription_sealed = 'v1.a.b.c' WHERE id = $1", [device.id]);
  await runOnce('Unreadable');
  await expect.poll(() => devicesOf(ann)).toEqual([]);
  expect(service.pushes).toEqual([]);
});

test('K8.02 a push service that fails is tried again with the same topic, and the browser stays', async () => {
  const device = await add(ann, service.subscribe());
  service.answer({ status: 500 });
  await runOnce('Later');
  await expect.poll(() => deliveriesOf(device)).toEqual([{ status: 'pending', attempt: 1, problem: 'status', answered: 500 }]);
  service.answer({ status: 201 });
  await tryAgain();
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ status: 'delivered', attempt: 2 })]);
  expect(new Set(service.pushes.map(({ headers }) => headers.topic)).size).toBe(1);
  expect(service.pushes).toHaveLength(2);
});

test('K8.02 a key that its push service refuses is shown with the browser, until a message is taken', async () => {
  const device = await add(ann, service.subscribe());
  service.answer({ status: 403 });
  await runOnce('Refused');
  await expect.poll(() => devicesOf(ann)).toMatchObject([{ id: device.id, refusal: { status: 403, at: expect.any(String) } }]);
  // The try is noted after the browser: what is made due before that would be put off again.
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ status: 'pending', attempt: 1 })]);
  service.answer({ status: 201 });
  await tryAgain();
  await expect.poll(() => devicesOf(ann)).toMatchObject([{ id: device.id, refusal: null }]);
});

test.each([
  ['17', 17_000],
  ['100000000', 86_400_000],
])('K8.02 a push service that asks for a pause of %s s gets its next message after it, or after a day', async (told, pauseMs) => {
  const device = await add(ann, service.subscribe());
  service.answer({ status: 429, headers: { 'retry-after': told } });
  await runOnce('Too many');
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ status: 'pending', answered: 429 })]);
  const text = 'SELECT extract(epoch FROM next_at - tried_at) * 1000 AS ms FROM hook_deliveries WHERE device_id = $1';
  const { rows } = await database.pool.query(text, [device.id]);
  expect(Number(rows[0].ms)).toBe(pauseMs);
});

test('K8.03 a browser is told of the account that added it last, and keeps its events when its keys change', async () => {
  const { path, ...browser } = service.subscribe();
  const device = await add(ann, { path, ...browser });
  await ann.call('PUT', `/push/${device.id}`, { events: ['published'] });
  const again = await add(ann, { path, ...browser, name: 'Another name' });
  expect(again).toEqual({ ...device, name: 'Another name', events: ['published'], addedAt: expect.any(String) });
  const taken = await add(bob, { path, ...browser });
  expect(taken).toMatchObject({ events: hookEvents, fingerprint: device.fingerprint });
  expect([await devicesOf(ann), (await devicesOf(bob)).map(({ id }) => id)]).toEqual([[], [taken.id]]);
  for (const [method, body] of [['PUT', { events: [] }], ['DELETE']] as const)
    expect((await ann.call(method, `/push/${taken.id}`, body)).status).toBe(404);
  await runOnce('Of Ann');
  await runOnce('Of Bob', bob);
  await pushTo(taken);
  await expect.poll(() => deliveriesOf(taken)).toHaveLength(1);
});

test('K8.03 nothing more is sent once the session has ended in which the browser was added', async () => {
  const cleo = await signUp(server.url);
  const [device, other] = [await add(cleo, service.subscribe()), await add(ann, service.subscribe())];
  service.answer({ status: 500 });
  await runOnce('Before', cleo);
  await expect.poll(() => deliveriesOf(device)).toEqual([expect.objectContaining({ attempt: 1 })]);
  await cleo.call('POST', '/auth/logout', { refreshToken: cleo.refreshToken });
  service.answer({ status: 201 });
  await tryAgain();
  // The try that waits finds the session ended, and forgets the browser.
  const stored = () => database.pool.query('SELECT 1 FROM push_devices WHERE id = $1', [device.id]);
  await expect.poll(async () => (await stored()).rowCount).toBe(0);
  await runOnce('Of another account');
  await pushTo(other);
  expect(service.pushes.filter(({ path }) => path === device.path)).toHaveLength(1);
});

test('K8.04 an eleventh browser, keys of no browser, and what is no address of a push service are refused by name', async () => {
  const refusal = async (given: object) => {
    const { status, body } = await ann.call<ErrorBody>('POST', '/push', { ...service.subscribe(), path: undefined, ...given });
    return [status, body.details?.reason];
  };
  const offCurve = Buffer.alloc(65, 7).toString('base64url');
  expect(await refusal({ keys: { p256dh: offCurve, auth: 'BTBZMqHH6r4Tts7J_aSIgg' } })).toEqual([422, 'push_keys']);
  expect((await refusal({ keys: { p256dh: 'short', auth: 'short' } }))[0]).toBe(400);
  for (const endpoint of ['ftp://push.example/x', 'not an address', 'https://ann:word@push.example/x', 'http://169.254.169.254/latest'])
    expect([endpoint, await refusal({ endpoint })]).toEqual([endpoint, [422, 'host']]);
  const added = await Promise.all(Array.from({ length: maxPushDevices }, () => add(ann, service.subscribe())));
  expect(await refusal({})).toEqual([422, 'devices']);
  expect(await devicesOf(ann)).toHaveLength(maxPushDevices);
  expect((await ann.call('DELETE', `/push/${added[0]?.id}`)).status).toBe(204);
  await add(ann, service.subscribe());
});

test('K8.04 a server on the internet calls no push service on a private or link-local network', async () => {
  const cleo = await signUp(guarded.url);
  const { path: _, ...browser } = service.subscribe();
  for (const endpoint of [
    'https://169.254.169.254/x',
    'https://[fe80::1]/x',
    'https://10.0.0.1/x',
    'http://push.example/x',
    browser.endpoint,
  ]) {
    const { status, body } = await cleo.call<ErrorBody>('POST', '/push', { ...browser, endpoint });
    expect([endpoint, status, body.details?.reason]).toEqual([endpoint, 422, 'host']);
  }
});
