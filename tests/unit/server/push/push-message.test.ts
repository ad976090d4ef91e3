import { expect, test } from 'vitest';
import type { Question } from '../../../../contract/executions/question.ts';
import { type HookEvent, hookEvents } from '../../../../contract/hook.ts';
import { messageOf } from '../../../../server/modules/push/message-of.ts';
import { createSendPush, requestFor } from '../../../../server/modules/push/send-push.ts';
import { subjectOf } from '../../../../server/modules/push/subject-of.ts';
import { vapidKeysFrom } from '../../../../server/modules/push/vapid-keys.ts';
import { createEgress } from '../../../../server/platform/egress/egress.ts';
import { retryAfterMs } from '../../../../server/platform/egress/retry-after.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';
import { secretKeyFrom } from '../../../../server/platform/secrets/secret-key.ts';
import { newBrowser } from '../../../support/services/push-service.ts';

const eventId = '019a2f10-0000-7000-8000-000000000001';
const question = { id: '019a2f10-0000-7000-8000-000000000002', title: 'Выбор', text: 'Secret words', task: 'Secret task' } as Question;
const about = { status: 'failed', branch: 'artel/shop', texts: { task: 'Secret task' } };
const shown = { eventId, projectId: 'p', project: 'Shop', about };
const asks = (event: HookEvent) => event === 'question.opened' || event === 'budget.reached';

test.each(hookEvents)('K8.01 %s has a title in both languages, a link, and no words of the task', (event) => {
  const messages = (['en', 'ru'] as const).map((language) =>
    messageOf({ ...shown, event, question: asks(event) ? question : null }, language),
  );
  expect(messages[0]?.title).not.toBe(messages[1]?.title);
  for (const message of messages) {
    expect(message.title).not.toMatch(/told\.|undefined|\{\{/);
    expect(JSON.stringify(message)).not.toContain('Secret');
    expect(message.path).toBe(asks(event) ? `/test-project?projectId=p&question=${question.id}` : '/test-project?projectId=p');
  }
});

test('K8.01 the longest names fit into one message, which only the browser decrypts', async () => {
  const [browser, other] = [newBrowser(), newBrowser()];
  const long = messageOf(
    { ...shown, event: 'question.opened', project: '\u0001'.repeat(1_000), question: { ...question, title: '🦉'.repeat(500) } },
    'ru',
  );
  expect(long.title.isWellFormed()).toBe(true);
  const keys = vapidKeysFrom(secretKeyFrom('a secret of thirty-two characters'));
  const subscription = { endpoint: 'https://push.example/send/1', keys: browser.keys };
  const { body } = await requestFor(subscription, long, { keys, eventId, subject: 'https://artel.example' });
  expect(body.length).toBeLessThanOrEqual(4_096);
  expect(JSON.parse(browser.decrypt(body))).toEqual(long);
  expect(() => other.decrypt(body)).toThrow();
});

test('K8.02 the same secret of the server gives the same key for push messages each time', () => {
  const [first, again, other] = ['a', 'a', 'b'].map((secret) => vapidKeysFrom(secretKeyFrom(secret.repeat(32))));
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(Buffer.from(first?.publicKey ?? '', 'base64url')).toHaveLength(65);
});

test('K8.04 an address that was allowed when it was added is refused when it leads to a closed network at the call', async () => {
  const endpoints = ['https://169.254.169.254/latest', 'https://[::1]/send', 'http://localhost:1/send'];
  const [forgotten, { keys: ofBrowser }] = [[] as string[], newBrowser()];
  const send = createSendPush({
    egress: createEgress({ allowPrivate: false, proxies: null }),
    devices: {
      find: async (_userId, deviceId) => ({ endpoint: deviceId, keys: ofBrowser, isFailing: false }),
      forget: async (deviceId) => void forgotten.push(deviceId),
      noteAnswer: async () => expect.unreachable(),
    },
    keys: vapidKeysFrom(secretKeyFrom('a secret of thirty-two characters')),
    question: async () => expect.unreachable(),
    languageOf: async () => 'en',
    nameOfProject: async () => 'Shop',
    address: () => 'https://artel.example',
    now: () => new Date('2026-03-01T10:00:00.000Z'),
  });
  for (const deviceId of endpoints) {
    const delivery = {
      userId: asOwner('u'),
      target: deviceId,
      createdAt: new Date(),
      eventId,
      event: 'run.ended' as const,
      projectId: 'p',
      about: { status: 'completed' },
    };
    expect([deviceId, await send(delivery, new AbortController().signal)]).toEqual([deviceId, { problem: 'host', answerStatus: null }]);
  }
  expect(forgotten).toEqual([]);
});

const local = [
  'http://localhost:5140',
  'https://localhost',
  'http://127.0.0.1:5140',
  'http://[::1]:5140',
  'https://192.168.1.5',
  'http://artel',
  'https://artel.local',
];
test.each<[string, string]>([
  ['https://artel.example.org', 'https://artel.example.org'],
  ['https://artel.example.org:8443/app', 'https://artel.example.org:8443'],
  ['http://artel.example.org:5140', 'mailto:artel@artel.example.org'],
  ...local.map((address): [string, string] => [address, 'mailto:artel@example.com']),
])('K8.02 the contact of the server at %s has a form that push services take: %s', (address, subject) => {
  expect(subjectOf(address)).toBe(subject);
});

test('K8.02 the pause that a service asks for is read in seconds and as a date, and nonsense is none', () => {
  const now = new Date('2026-03-01T10:00:00.000Z');
  const pauses = ['2', '120', 'Sun, 01 Mar 2026 10:01:00 GMT', 'Sun, 01 Mar 2026 09:00:00 GMT', 'soon', '-5', '1e9', ''];
  expect(pauses.map((told) => retryAfterMs({ 'retry-after': told }, now))).toEqual([2_000, 120_000, 60_000, 0, null, null, null, null]);
  expect(retryAfterMs({}, now)).toBeNull();
});
