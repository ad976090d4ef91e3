import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Question } from '../../../contract/executions/question.ts';
import { ApiError } from '../../../server/http/api-error.ts';
import { UpdatePoll } from '../../../server/modules/telegram/poll-updates.ts';
import { type Reply, type TakeUpdateDeps, UpdateTaker } from '../../../server/modules/telegram/take-update.ts';
import type { Db } from '../../../server/platform/database/database.ts';
import { sql } from '../../../server/platform/database/drizzle.ts';
import { openPools } from '../../../server/platform/database/open-pools.ts';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { asOwner } from '../../../server/platform/owner-id.ts';
import { BotApi } from '../../../server/platform/telegram/bot-api.ts';
import { linkToDatabase } from '../../support/database/database-link.ts';
import { botToken, startTelegramServer } from '../../support/services/telegram-server.ts';
import { setUp, setUpDatabase } from '../../support/set-up/for-vitest.ts';

const database = setUpDatabase();
const telegram = setUp(startTelegramServer, ({ close }) => close());
const id = '019a2f10-0000-7000-8000-000000000010';
const asked = { id, kind: 'person', inputs: [], buttons: [], actions: ['answer', 'stop'] } as unknown as Question;
const message = { chat_id: 1, message_id: 1, text: `Which?\n\nhttps://artel.example/test-project?projectId=p&question=${id}` };

/** Points of a reply at which the database goes away: reads, inside of the transaction, and after its commit. */
const points = ['find', 'language', 'question', 'insert', 'keep', 'reply'] as const;
type Point = (typeof points)[number];

beforeAll(async () => {
  await database.pool.query('CREATE TABLE given_answers (words text)');
});
beforeEach(async () => {
  telegram.sent.length = 0;
  telegram.slowDown(0);
  await database.pool.query('DELETE FROM given_answers');
});

/** Starts a node that reads updates. Its answers are rows of a table; `at` is called before each work on the database. */
function startPoll(db: Db, { at = async () => {}, leaseMs = 60_000, told }: PollOptions): string[] {
  const notes: string[] = [];
  const chat = { userId: asOwner(id), chatId: 1, name: '', boundAt: new Date(), blockedAt: null };
  const read = async <T>(point: Point, value: T) => {
    await at(point);
    await db.execute(sql`SELECT 1`);
    return value;
  };
  const bot = new BotApi(createEgress({ allowPrivate: true, proxies: null }), { url: telegram.url, token: botToken });
  const deps: TakeUpdateDeps = {
    bot,
    chats: { find: (chatId) => read('find', chatId === 1 ? chat : null), bind: async () => ({ kind: 'over' }), unbind: async () => {} },
    languageOf: () => read('language', 'en' as const),
    messageAbout: async () => null,
    nameOfAccount: async () => '',
    question: () => read('question', asked),
    answer: async (_user, _id, { text }, _language, keep) => {
      await db.transaction(async (tx) => {
        const { rows } = await tx.execute(sql`SELECT 1 FROM given_answers FOR UPDATE`);
        if (rows.length > 0) throw new ApiError('question_answered');
        await at('insert');
        await tx.execute(sql`INSERT INTO given_answers VALUES (${text})`);
        await at('keep');
        await keep(tx);
      });
      await at('reply');
    },
  };
  const taker = new UpdateTaker(deps);
  const tell = (reply: Reply) => {
    told?.(reply);
    return taker.tell(reply);
  };
  const taking = {
    tell,
    take: taker.take.bind(taker),
    tellOfFault: taker.tellOfFault.bind(taker),
  };
  const log = { warn: (about: object, line: string) => notes.push(`${line} ${(about as { err?: Error }).err?.stack}`) };
  const poll = new UpdatePoll({ db, bot, log, taker: taking, leaseMs });
  poll.start(50);
  onTestFinished(() => poll.stop());
  return notes;
}
type PollOptions = { at?: (point: Point) => Promise<void>; leaseMs?: number; told?: (reply: Reply) => void };

test.each(points.flatMap((point) => [0, 600].map((ms) => [point, ms] as const)))(
  'K7.11 an answer is taken once when the database goes away at the point "%s" and is back after %i ms',
  async (point, ms) => {
    const link = await linkToDatabase(database.connectionString);
    const pools = openPools({ connectionString: link.url }, () => {});
    onTestFinished(() => link.close());
    onTestFinished(() => pools.end());
    let isBroken = false;
    const breakAt = async (now: Point) => {
      if (now !== point || isBroken) return;
      isBroken = true;
      await link.cut();
      if (ms === 0) await link.mend();
      else setTimeout(() => void link.mend(), ms);
      // Its commit was carried out, and the reply to it is lost.
      if (now === 'reply') throw new Error('Connection terminated unexpectedly');
    };
    const notes = startPoll(pools.db, { at: breakAt });
    telegram.write(1, 'Green', { replyTo: message });
    await telegram.until(({ text }) => text !== '');
    telegram.write(2, 'The next one');
    await telegram.until(({ chat_id }) => chat_id === 2);
    expect(isBroken).toBe(true);
    expect(telegram.sent.map(({ text }) => text)).toEqual(['Answered.', expect.stringContaining('not bound to an account')]);
    expect((await database.pool.query('SELECT words FROM given_answers')).rows).toEqual([{ words: 'Green' }]);
    expect(notes).toEqual([]);
  },
);

// A message takes a part of the lease, or more than all of it: then the other node takes the rest of the batch.
test.each([
  ['one node keeps its lease', { slowMs: 300, leaseMs: 2_000, nodes: 1 }],
  ['a node whose lease has ended leaves the rest to the other', { slowMs: 500, leaseMs: 300, nodes: 2 }],
])('K7.09 each update of a batch that is longer than the lease is answered once: %s', async (_case, { slowMs, leaseMs, nodes }) => {
  telegram.slowDown(slowMs);
  const chats = Array.from({ length: 8 }, (_, index) => 100 + index);
  for (const chat of chats) telegram.write(chat, 'Hello');
  const by = new Set<string>();
  for (const node of ['a', 'b']) {
    const pools = openPools({ connectionString: database.connectionString }, () => {});
    onTestFinished(() => pools.end());
    startPoll(pools.db, { leaseMs, told: () => by.add(node) });
  }
  await expect.poll(() => telegram.sent.length).toBeGreaterThanOrEqual(chats.length);
  telegram.write(999, 'The last one');
  await telegram.until(({ chat_id }) => chat_id === 999);
  expect(telegram.sent.map(({ chat_id }) => chat_id).sort()).toEqual([...chats, 999]);
  expect(by.size).toBe(nodes);
});

test('K7.11 a person is told of an answer that could not be taken by a fault, and the next one is taken', async () => {
  let isFaulty = true;
  const notes = startPoll(database.db, {
    at: async (point) => {
      if (point === 'insert' && isFaulty) throw new Error('A fault of the code.');
    },
  });
  telegram.write(1, 'Green', { replyTo: message });
  await telegram.until(({ text }) => text.startsWith('This could not be taken now.'));
  isFaulty = false;
  telegram.write(1, 'Blue', { replyTo: message });
  await telegram.until(({ text }) => text === 'Answered.');
  expect((await database.pool.query('SELECT words FROM given_answers')).rows).toEqual([{ words: 'Blue' }]);
  expect(notes).toEqual([expect.stringContaining('A fault of the code.')]);
});

test('K7.12 a person is told once what became of an answer, also when Telegram has put the word off', async () => {
  telegram.refuse({ error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } });
  const notes = startPoll(database.db, {});
  telegram.write(1, 'Green', { replyTo: message });
  await expect.poll(telegram.refusals).toBe(1);
  telegram.refuse(null);
  telegram.write(2, 'The next one');
  await telegram.until(({ chat_id }) => chat_id === 2);
  expect(telegram.sent.map(({ chat_id, text }) => [chat_id, text])).toEqual([
    [1, 'Answered.'],
    [2, expect.stringContaining('not bound to an account')],
  ]);
  expect(notes).toEqual([]);
});
