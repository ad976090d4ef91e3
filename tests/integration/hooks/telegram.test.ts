import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { ErrorBody } from '../../../contract/errors.ts';
import type { Execution } from '../../../contract/executions/execution.ts';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { Question } from '../../../contract/executions/question.ts';
import { hookEvents } from '../../../contract/hook.ts';
import type { TelegramLink, TelegramState } from '../../../contract/telegram.ts';
import { type RunAccount, signUp } from '../../support/run-account.ts';
import { botToken, type SentMessage, startTelegramServer } from '../../support/services/telegram-server.ts';
import { setUp, setUpAccount, setUpModelServer, setUpServer, setUpServerOnDatabase } from '../../support/set-up/for-vitest.ts';

const models = setUpModelServer();
const telegram = setUp(startTelegramServer, ({ close }) => close());
const { database, server } = setUpServerOnDatabase(() => ({
  OPENAI_BASE_URL: models.url,
  ARTEL_TELEGRAM_TOKEN: botToken,
  ARTEL_TELEGRAM_URL: telegram.url,
}));
const without = setUpServer();
const ann = setUpAccount(server);
const bob = setUpAccount(server);
const [annsChat, bobsChat] = [7_001, 7_002];
const path = '/project/default/telegram';

async function bind(person: RunAccount, chatId: number): Promise<TelegramLink> {
  const { status, body } = await person.call<TelegramLink>('POST', `${path}/link`);
  expect(status).toBe(201);
  const before = telegram.sent.length;
  telegram.write(chatId, `/start ${new URL(body.url).searchParams.get('start')}`);
  await telegram.until(
    (one) =>
      telegram.sent.indexOf(one) >= before && one.chat_id === chatId && one.text.includes(`bound to the account Ann (${person.email})`),
  );
  return body;
}

beforeAll(async () => {
  await bind(ann, annsChat);
  await bind(bob, bobsChat);
});
beforeEach(async () => {
  await ann.call('PUT', path, { events: hookEvents, urgent: [], quiet: null });
});

async function ask(settings: object, task: string, person = ann): Promise<Execution> {
  const steps = [{ name: 'Choose', agentId: person.agent('assistant').id, nodeId: 'ask', settings: { person: settings } }];
  const { body } = await person.call<Pipeline>('POST', '/Pipeline', { name: 'Ask', projectId: 'default', steps });
  return person.start(body, task);
}

const questionOf = async ({ id }: Execution) =>
  (await ann.call<Question[]>('GET', `/PipelineExecution/${id}/questions`)).body[0] as Question;
const messageAbout = (words: string, chatId = annsChat) =>
  telegram.until(({ text, chat_id }) => chat_id === chatId && text.includes(words));
const replyTo = (message: SentMessage) => ({ replyTo: message });

test('K7.01 a chat is bound by a link that works once, and tells whose account it is', async () => {
  const { url } = await bind(ann, annsChat);
  expect(url).toMatch(/^https:\/\/t\.me\/artel_bot\?start=[\w-]{43}$/);
  telegram.write(8_000, `/start ${new URL(url).searchParams.get('start')}`);
  expect((await messageAbout('used or has expired', 8_000)).chat_id).toBe(8_000);
  const { body } = await ann.call<TelegramState>('GET', path);
  expect(body).toMatchObject({ hasBot: true, chat: { name: '@ann', blockedAt: null }, events: [...hookEvents], quiet: null });
  const stored = await database.pool.query('SELECT 1 FROM telegram_links');
  expect(stored.rowCount).toBe(0);
});

test('K7.01 a chat that is bound again keeps its quiet hours and the events that were chosen', async () => {
  const chosen = { events: ['published' as const], urgent: ['published' as const], quiet: { from: 1, to: 2, timeZone: 'UTC' } };
  await ann.call('PUT', path, chosen);
  await bind(ann, annsChat);
  const { body } = await ann.call<TelegramState>('GET', path);
  expect(body).toMatchObject(chosen);
});

test('K7.02 a reply answers a question of a person, with the name of the person', async () => {
  const run = await ask({ question: 'Which **colour**?' }, 'By a reply');
  const message = await messageAbout('Which colour?');
  expect(message.text).toContain('Choose');
  telegram.write(annsChat, 'Green', replyTo(message));
  await messageAbout('Answered.');
  await ann.until(run.id, ({ status }) => status === 'completed');
  expect(await questionOf(run)).toMatchObject({ state: 'answered', answer: { text: 'Green' }, answeredBy: 'Ann (Telegram)' });
  await messageAbout('The run has ended.');
});

/** Starts a run that asks which way to go: to the left or to the right. */
async function askWay(question: string): Promise<Execution> {
  const steps = ['ask', 'left', 'right'].map((nodeId) => ({
    ...{ name: nodeId, agentId: ann.agent('assistant').id, nodeId },
    ...(nodeId === 'ask' && { settings: { person: { question } } }),
  }));
  const links = ['left', 'right'].map((to) => ({ id: `ask>${to}`, from: 'ask', to, label: to }));
  const made = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ways', projectId: 'default', steps, links });
  expect([made.status, made.body]).toEqual([201, expect.anything()]);
  return ann.start(made.body, 'By a button');
}
const buttonsOf = (message: SentMessage) => message.reply_markup?.inline_keyboard.flat() ?? [];

test('K7.02 a button answers, and its message loses the buttons; an answer that comes again changes nothing', async () => {
  const run = await askWay('Which way?');
  const message = await messageAbout('Which way?');
  const buttons = buttonsOf(message);
  expect(buttons.map(({ text }) => text)).toEqual(expect.arrayContaining(['left', 'right']));
  telegram.write(annsChat, 'to the left', replyTo(message));
  await messageAbout('Press one of the buttons');
  telegram.press(annsChat, message, buttons.find(({ text }) => text === 'right')?.callback_data);
  const pressed = telegram.last();
  await ann.until(run.id, ({ status }) => status === 'completed');
  // The same update once more is left; another press is answered.
  telegram.repeatLast(pressed);
  telegram.press(annsChat, message, buttons.find(({ text }) => text === 'left')?.callback_data);
  await messageAbout('answered already');
  expect(telegram.calls.filter(({ method }) => method === 'answerCallbackQuery')).toHaveLength(2);
  expect(await questionOf(run)).toMatchObject({ state: 'answered', answer: { label: 'right' } });
  await expect.poll(() => telegram.calls.map(({ method }) => method)).toContain('editMessageReplyMarkup');
});

test('K7.03 what asks for fields shows a link only, and nothing is decided about it in the chat', async () => {
  const run = await ask({ question: 'Fill in', inputs: [{ id: 'size', label: 'Size', type: 'number', isRequired: true }] }, 'With fields');
  const message = await messageAbout('Fill in');
  const question = await questionOf(run);
  expect(message.text).toContain(`question=${question.id}`);
  expect(message.text).toContain('decided in Artel');
  expect(message.reply_markup).toBeUndefined();
  telegram.press(annsChat, message, `${question.id}:0`);
  await telegram.until(
    ({ text, reply_parameters: reply }) => text.includes('decided in Artel') && reply?.message_id === message.message_id,
  );
  expect((await questionOf(run)).state).toBe('open');
  await ann.act(run.id, 'stop');
});

test('K7.04 another person answers nothing with the button or the reply of a chat', async () => {
  const run = await ask({ question: 'Whose is it?' }, 'Mine alone');
  const message = await messageAbout('Whose is it?');
  const { id } = await questionOf(run);
  telegram.press(bobsChat, message, `${id}:0`);
  await messageAbout('not open any more', bobsChat);
  telegram.write(bobsChat, 'Mine', replyTo(message));
  const refusals = () => telegram.sent.filter(({ text, chat_id }) => chat_id === bobsChat && text.includes('not open any more'));
  await expect.poll(() => refusals().length).toBe(2);
  telegram.write(bobsChat, 'Mine');
  await messageAbout('press its button or reply', bobsChat);
  telegram.write(9_999, 'Mine', replyTo(message));
  await messageAbout('not bound to an account', 9_999);
  telegram.write(annsChat, '/start x', { type: 'group' });
  await messageAbout('only in a private chat');
  expect((await questionOf(run)).state).toBe('open');
  await ann.act(run.id, 'stop');
});

test('K7.05 a text of a megabyte is refused by name, an odd update is left, and the next one is taken', async () => {
  const run = await ask({ question: 'How long?' }, 'Long words');
  const message = await messageAbout('How long?');
  telegram.write(annsChat, 'a'.repeat(1024 * 1024), replyTo(message));
  await messageAbout('The text is too long');
  expect((await questionOf(run)).state).toBe('open');
  telegram.addOdd();
  telegram.write(annsChat, 'Short', replyTo(message));
  await ann.until(run.id, ({ status }) => status === 'completed');
  expect(await questionOf(run)).toMatchObject({ state: 'answered', answer: { text: 'Short' } });
});

test('K7.14 a question that has come twice is answered in either message, and no button stays that does nothing', async () => {
  const run = await askWay('Which way twice?');
  const first = await messageAbout('Which way twice?');
  const delivery = "event = 'question.opened' AND about->>'executionId' = $1";
  const statusOf = async () => (await database.pool.query(`SELECT status FROM hook_deliveries WHERE ${delivery}`, [run.id])).rows;
  await expect.poll(statusOf).toEqual([{ status: 'delivered' }]);
  // As after a kill between the message and its storing.
  const unstored = "status = 'pending', attempt = 0, next_at = now(), message_id = NULL";
  await database.pool.query(`UPDATE hook_deliveries SET ${unstored} WHERE ${delivery}`, [run.id]);
  await ann.call('PUT', path, { quiet: null });
  const isSecond = ({ text, message_id }: SentMessage) => text.includes('Which way twice?') && message_id !== first.message_id;
  const second = await telegram.until(isSecond);
  await expect.poll(statusOf).toEqual([{ status: 'delivered' }]);

  const emptied = () => telegram.calls.flatMap(({ method, body }) => (method === 'editMessageReplyMarkup' ? [body.message_id] : []));
  telegram.press(annsChat, first, buttonsOf(first).find(({ text }) => text === 'right')?.callback_data);
  await ann.until(run.id, ({ status }) => status === 'completed');
  await expect.poll(emptied).toEqual(expect.arrayContaining([first.message_id, second.message_id]));
  // A button of another message of the question, as one whose number was lost, says that it is over and goes.
  const third = { ...first, message_id: 900_000 };
  telegram.press(annsChat, third, buttonsOf(first).find(({ text }) => text === 'left')?.callback_data);
  await expect.poll(emptied).toContain(third.message_id);
  expect(await questionOf(run)).toMatchObject({ state: 'answered', answer: { label: 'right' } });
});

/** Quiet hours of an hour at least from now on. */
const night = () => ({ from: new Date().getUTCHours(), to: (new Date().getUTCHours() + 2) % 24, timeZone: 'UTC' });
/** Counts the messages about a run that wait. */
const putOff = async ({ id }: Execution) =>
  (
    await database.pool.query(
      "SELECT 1 FROM hook_deliveries WHERE about->>'executionId' = $1 AND status = 'pending' AND attempt = 0 AND next_at > now() + interval '1 minute'",
      [id],
    )
  ).rowCount;

test('K7.06 in quiet hours of its project nothing is sent but urgent kinds, and the rest comes as soon as they end', async () => {
  await ann.call('PUT', path, { urgent: ['run.ended'], quiet: night() });
  const run = await ask({ question: 'Are you awake?' }, 'At night');
  await expect.poll(() => putOff(run)).toBe(1);
  const other = await ask({ question: 'Who ends?' }, 'Ended at night');
  await ann.act(other.id, 'stop');
  await messageAbout('The run was stopped.');
  expect(telegram.sent.some(({ text }) => text.includes('Are you awake?'))).toBe(false);
  await ann.call('PUT', path, { urgent: ['question.opened'] });
  await messageAbout('Are you awake?');
  await ann.act(run.id, 'stop');
  await expect.poll(() => putOff(run)).toBe(1);
});

test('K7.06 quiet hours and kinds of one project are not those of another', async () => {
  await ann.call('PUT', path, { events: ['published'], urgent: ['published'], quiet: night() });
  const { body: shop } = await ann.call<{ id: string }>('POST', '/project', { name: 'Shop' });
  const ofShop = `/project/${shop.id}/telegram`;
  expect((await ann.call<TelegramState>('GET', ofShop)).body).toMatchObject({ events: [], urgent: [], quiet: null });
  await ann.call('PUT', ofShop, { events: ['question.opened'], quiet: { from: 1, to: 2, timeZone: 'UTC' } });
  expect((await ann.call<TelegramState>('GET', path)).body).toMatchObject({ events: ['published'], quiet: night() });
});

test('K7.06 kinds that are not chosen are never sent, also when a message about them waits already', async () => {
  await ann.call('PUT', path, { events: ['question.opened'], quiet: night() });
  const run = await ask({ question: 'Still wanted?' }, 'Not any more');
  await expect.poll(() => putOff(run)).toBe(1);
  await ann.call('PUT', path, { events: ['published'], quiet: null });
  await expect.poll(() => putOff(run)).toBe(0);
  await ann.act(run.id, 'stop');
  const states = async () =>
    (await database.pool.query("SELECT event, status FROM hook_deliveries WHERE about->>'executionId' = $1", [run.id])).rows;
  await expect.poll(states).toEqual([{ event: 'question.opened', status: 'delivered' }]);
  expect(telegram.sent.some(({ text }) => text.includes('Still wanted?'))).toBe(false);
});

test('K7.07 a person who blocks the bot is not written to again until the chat is bound again', async () => {
  telegram.refuse({ error_code: 403, description: 'Forbidden: bot was blocked by the user' });
  const run = await ask({ question: 'Do you hear?' }, 'Blocked');
  const state = async () => (await ann.call<TelegramState>('GET', path)).body.chat;
  await expect.poll(async () => (await state())?.blockedAt ?? null).not.toBeNull();
  telegram.refuse(null);
  await ann.act(run.id, 'stop');
  await bind(ann, annsChat);
  await expect.poll(async () => (await state())?.blockedAt ?? null).toBeNull();
});

test('K7.08 a server without a bot says so, and a wrong time zone or an account without a chat is refused', async () => {
  const cleo = await signUp(without.url);
  expect((await cleo.call<TelegramState>('GET', path)).body).toEqual({
    ...{ hasBot: false, problem: null, chat: null, events: [], urgent: [], quiet: null },
  });
  const refused = await cleo.call<ErrorBody>('POST', `${path}/link`);
  expect([refused.status, refused.body.details?.reason]).toEqual([422, 'no_bot']);
  const changed = await cleo.call<ErrorBody>('PUT', path, { events: [] });
  expect([changed.status, changed.body.details?.reason]).toEqual([422, 'no_chat']);
  expect((await ann.call('PUT', path, { quiet: { from: 1, to: 2, timeZone: 'Mars/Base' } })).status).toBe(400);
});

test('K7.09 of two nodes one reads the updates, and the other one after it has ended', async () => {
  const other = await server.beside();
  try {
    const run = await ask({ question: 'Which node?' }, 'On two nodes');
    telegram.write(annsChat, 'Either', replyTo(await messageAbout('Which node?')));
    await ann.until(run.id, ({ status }) => status === 'completed');
    expect(telegram.maxPollers()).toBe(1);
  } finally {
    await other.stop();
  }
});

test('K7.13 a chat of one account is moved by a link of another one only after a press that names both, and stays there until then', async () => {
  const cleo = await signUp(server.url);
  const { body: link } = await cleo.call<TelegramLink>('POST', `${path}/link`);
  const chatOf = async (person: RunAccount) => (await person.call<TelegramState>('GET', path)).body.chat?.name ?? null;
  telegram.write(bobsChat, `/start ${new URL(link.url).searchParams.get('start')}`);
  const asked = await messageAbout('moves it to', bobsChat);
  expect(asked.text).toContain(`bound to the account Ann (${bob.email})`);
  expect(asked.text).toContain(`moves it to the account Ann (${cleo.email})`);
  expect([await chatOf(bob), await chatOf(cleo)]).toEqual(['@ann', null]);
  const [button] = asked.reply_markup?.inline_keyboard.flat() ?? [];
  expect(button?.text).toBe('Move the chat');
  telegram.press(bobsChat, asked, button?.callback_data);
  await messageAbout(`bound to the account Ann (${cleo.email})`, bobsChat);
  expect([await chatOf(bob), await chatOf(cleo)]).toEqual([null, '@ann']);
  const emptied = { method: 'editMessageReplyMarkup', body: expect.objectContaining({ message_id: asked.message_id }) };
  expect(telegram.calls).toContainEqual(emptied);
  // A second press finds the link used, and says whose the chat is.
  telegram.press(bobsChat, asked, button?.callback_data);
  expect((await messageAbout('used or has expired', bobsChat)).text).toContain(cleo.email);
  await cleo.call('DELETE', '/telegram');
  await bind(bob, bobsChat);
});

test('K7.01 /stop unbinds the chat from the chat', async () => {
  telegram.write(bobsChat, '/stop');
  await expect.poll(async () => (await bob.call<TelegramState>('GET', path)).body.chat).toBeNull();
});

const messagesAbout = (words: string) => telegram.sent.filter(({ text }) => text.includes(words));
const answers = () => messagesAbout('Answered.').length;
const stateOf = async () => (await ann.call<TelegramState>('GET', path)).body;
const triesOf = async ({ id }: Execution) =>
  (
    await database.pool.query(
      "SELECT attempt, status FROM hook_deliveries WHERE about->>'executionId' = $1 AND event = 'question.opened' AND chat_of IS NOT NULL",
      [id],
    )
  ).rows;

test('K7.12 a pause that Telegram asks for is no try, and the message comes once after it', async () => {
  telegram.refuse({ error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 2 } });
  const run = await ask({ question: 'Too often?' }, 'Flood');
  await expect.poll(telegram.refusals).toBeGreaterThan(0);
  expect(await triesOf(run)).toEqual([{ attempt: 0, status: 'pending' }]);
  // Not even a pause of ages loses the message.
  telegram.refuse({ error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1e12 } });
  await expect.poll(() => putOff(run)).toBe(1);
  telegram.refuse(null);
  await ann.call('PUT', path, { quiet: null });
  await messageAbout('Too often?');
  await expect.poll(() => triesOf(run)).toEqual([{ attempt: 1, status: 'delivered' }]);
  expect(messagesAbout('Too often?')).toHaveLength(1);
  await ann.act(run.id, 'stop');
});

test('K7.12 an endless answer to a message is cut, and the message is not sent again', async () => {
  telegram.answerForever('sendMessage');
  const run = await ask({ question: 'Without an end?' }, 'Endless');
  await expect.poll(() => triesOf(run)).toEqual([{ attempt: 1, status: 'delivered' }]);
  telegram.answerForever(null);
  expect(messagesAbout('Without an end?')).toHaveLength(1);
  await ann.act(run.id, 'stop');
});

test('K7.12 an endless answer to the call for updates is cut and named, and what was written is taken after it', async () => {
  const run = await ask({ question: 'Endless updates?' }, 'Endless updates');
  const message = await messageAbout('Endless updates?');
  telegram.answerForever('getUpdates');
  await expect.poll(async () => (await stateOf()).problem?.kind).toBe('unreachable');
  telegram.write(annsChat, 'Now', replyTo(message));
  telegram.answerForever(null);
  await ann.until(run.id, ({ status }) => status === 'completed');
  expect((await stateOf()).problem).toBeNull();
});

test('K7.12 a message that is given up is named in the window', async () => {
  expect((await stateOf()).chat?.lostAt).toBeNull();
  telegram.refuse({ error_code: 400, description: 'Bad Request: chat not found' });
  const run = await ask({ question: 'Lost?' }, 'Given up');
  await expect.poll(() => triesOf(run)).toEqual([{ attempt: 1, status: 'pending' }]);
  await database.pool.query("UPDATE hook_deliveries SET attempt = 7, next_at = now() WHERE status = 'pending' AND attempt = 1");
  await expect.poll(async () => (await stateOf()).chat?.lostAt ?? null).not.toBeNull();
  telegram.refuse(null);
  await ann.act(run.id, 'stop');
});

test.each([
  ['token', { error_code: 401, description: 'Unauthorized' }, 'Telegram refuses the token of the bot'],
  ['conflict', { error_code: 409, description: 'Conflict: terminated by other getUpdates request' }, 'Another program reads the updates'],
  ['unreachable', { error_code: 502, description: 'Bad Gateway' }, 'could not be read now'],
] as const)(
  'K7.12 people and the operator are told of the problem "%s" of the bot once, and what was written is taken after it',
  async (kind, refusal, line) => {
    const run = await ask({ question: `What of ${kind}?` }, kind);
    const message = await messageAbout(`What of ${kind}?`);
    const timesSaid = () => server.logs().split(line).length;
    const saidBefore = timesSaid();
    telegram.refuse(refusal, kind === 'conflict' ? ['getUpdates'] : ['getUpdates', 'getMe', 'sendMessage']);
    await expect.poll(async () => (await stateOf()).problem?.kind).toBe(kind);
    const linked = await ann.call<ErrorBody>('POST', `${path}/link`);
    const reasons = { token: 'bot_refused', conflict: undefined, unreachable: 'bot_unreachable' };
    expect(linked.body.details?.reason).toBe(reasons[kind]);
    const before = answers();
    telegram.write(annsChat, 'Still here', replyTo(message));
    telegram.refuse(null);
    await ann.until(run.id, ({ status }) => status === 'completed');
    expect((await stateOf()).problem).toBeNull();
    expect(timesSaid() - saidBefore).toBe(1);
    await expect.poll(() => answers() - before).toBe(1);
  },
);
