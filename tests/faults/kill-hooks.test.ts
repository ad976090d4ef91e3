import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Pipeline } from '../../contract/executions/pipeline.ts';
import { type CreatedHook, type HookDelivery, hookEvents } from '../../contract/hook.ts';
import type { TelegramLink } from '../../contract/telegram.ts';
import { signUp } from '../support/run-account.ts';
import { type HookReceiver, startHookReceiver } from '../support/services/hook-receiver.ts';
import { type ModelServer, startModelServer } from '../support/services/model-server.ts';
import { type PushService, startPushService } from '../support/services/push-service.ts';
import { botToken, type SentMessage, startTelegramServer, type TelegramServer } from '../support/services/telegram-server.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let models: ModelServer;
let receiver: HookReceiver;
let pushes: PushService;
let telegram: TelegramServer;
let server: TestServer;

beforeEach(async () => {
  models = await startModelServer();
  receiver = await startHookReceiver();
  pushes = await startPushService();
  telegram = await startTelegramServer();
  models.answer({ kind: 'text', text: 'Done' });
  server = await startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
      ...{ ARTEL_TELEGRAM_TOKEN: botToken, ARTEL_TELEGRAM_URL: telegram.url },
    },
  });
});
afterEach(async () => {
  await server?.stop();
  await receiver?.close();
  await pushes?.close();
  await telegram?.close();
  await models?.close();
});

test('K6.08 killed while ten events are on their way, the server sends each again with the same id, and loses none', async () => {
  const ann = await signUp(server.url);
  const created = await ann.call<CreatedHook>('POST', '/project/default/hooks', { url: receiver.url, events: hookEvents });
  const hook = created.body;
  receiver.answer({ kind: 'silent' });
  const pipeline = await ann.pipeline('assistant');
  const runs = await Promise.all(Array.from({ length: 10 }, (_, number) => ann.start(pipeline, `Task ${number}`)));
  for (const { id } of runs) await ann.until(id, ({ status }) => status === 'completed');
  // At least one try is under way; others are stored and have not begun.
  await receiver.until(({ event }) => event.type === 'run.ended');
  await server.kill('SIGKILL');
  const before = receiver.calls.map(({ headers, event }) => [headers['webhook-id'], event.data.executionId]);

  receiver.answer({ kind: 'status', status: 204 });
  server = await server.restart();
  const at = ann.at(server);
  const deliveries = async () => (await at.call<HookDelivery[]>('GET', `/project/default/hooks/${hook.id}/deliveries`)).body;
  await expect.poll(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length).toBe(10);
  const idOf = new Map((await deliveries()).map(({ eventId }) => [eventId, new Set<unknown>()]));
  for (const { headers, event } of receiver.calls) idOf.get(headers['webhook-id'] ?? '')?.add(event.data.executionId);
  // One run an id, and all of them.
  expect([...idOf.values()].map((executions) => executions.size)).toEqual(Array(10).fill(1));
  expect(new Set([...idOf.values()].flatMap((executions) => [...executions]))).toEqual(new Set(runs.map(({ id }) => id)));
  for (const [id, execution] of before) expect(idOf.get(String(id))).toContain(execution);
});

test('K8.05 killed while ten messages for a browser are on their way, the server sends each with the same topic and tag, so that it is shown once', async () => {
  const ann = await signUp(server.url);
  const { path: _, ...browser } = pushes.subscribe();
  await ann.call('POST', '/push', browser);
  pushes.answer({ silent: true });
  const pipeline = await ann.pipeline('assistant');
  const runs = await Promise.all(Array.from({ length: 10 }, (_none, number) => ann.start(pipeline, `Task ${number}`)));
  for (const { id } of runs) await ann.until(id, ({ status }) => status === 'completed');
  await pushes.until(({ message }) => message.title === 'The run has ended.');
  await server.kill('SIGKILL');
  const before = new Set(pushes.pushes.map(({ message }) => message.tag));

  pushes.answer({ status: 201 });
  server = await server.restart();
  const shown = () => new Set(pushes.pushes.map(({ message }) => message.tag));
  await expect.poll(() => shown().size).toBe(10);
  // What was sent before the kill is sent again, as the same notification.
  await expect.poll(() => pushes.pushes.filter(({ message }) => before.has(message.tag)).length).toBeGreaterThan(before.size);
  expect(shown().size).toBe(10);
  for (const { headers, message } of pushes.pushes) expect(headers.topic).toBe(String(message.tag).replaceAll('-', ''));
});

test('K7.14 killed between a question in Telegram and its storing, the server asks once more, and no button of either message stays', async () => {
  const [ann, chatId] = [await signUp(server.url), 7_001];
  const { body: link } = await ann.call<TelegramLink>('POST', '/project/default/telegram/link');
  telegram.write(chatId, `/start ${new URL(link.url).searchParams.get('start')}`);
  await telegram.until(({ text }) => text.includes('bound to the account'));
  // Longer than the test: the server never learns that its message was taken.
  telegram.slowDown(600_000);
  const steps = ['ask', 'left', 'right'].map((nodeId) => ({
    ...{ name: nodeId, agentId: ann.agent('assistant').id, nodeId },
    ...(nodeId === 'ask' && { settings: { person: { question: 'Which way?' } } }),
  }));
  const links = ['left', 'right'].map((to) => ({ id: `ask>${to}`, from: 'ask', to, label: to }));
  const { body: made } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ways', projectId: 'default', steps, links });
  const run = await ann.start(made, 'By a button');
  const first = await telegram.until(({ text }) => text.includes('Which way?'));
  await server.kill('SIGKILL');

  telegram.slowDown(0);
  server = await server.restart();
  const second = await telegram.until(({ text, message_id: id }) => text.includes('Which way?') && id !== first.message_id);
  const right = (message: SentMessage) => message.reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'right')?.callback_data;
  telegram.press(chatId, first, right(first));
  await ann.at(server).until(run.id, ({ status }) => status === 'completed');
  telegram.press(chatId, second, right(second));
  await telegram.until(({ text }) => text.includes('answered already'));
  const emptied = telegram.calls.flatMap(({ method, body }) => (method === 'editMessageReplyMarkup' ? [body.message_id] : []));
  expect(new Set(emptied)).toEqual(new Set([first.message_id, second.message_id]));
});
