import { expect } from 'vitest';
import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { TeamRun } from '../../../contract/released-team.ts';
import type { TelegramLink } from '../../../contract/telegram.ts';
import type { SentMessage, TelegramServer } from '../services/telegram-server.ts';
import { createErrands, rowsOf, type Source, type Storm, untilAnswered } from './storm.ts';
import { releaseTeam } from './teams.ts';

const chatId = 7_001;
/** How long the person reads a question (ms). */
const reactionMs = 400;

/** A bound chat of Telegram, whose person answers each question by the first message about it. */
export async function createChat(storm: Storm, telegram: TelegramServer): Promise<Source> {
  const { ann } = storm;
  const { body: link } = await ann.call<TelegramLink>('POST', '/project/default/telegram/link');
  telegram.write(chatId, `/start ${new URL(link.url).searchParams.get('start')}`);
  await telegram.until(({ text }) => text.includes('bound to the account'));
  const steps = ['ask', 'left', 'right'].map((nodeId) => ({
    ...{ name: nodeId, agentId: ann.agent('assistant').id, nodeId },
    ...(nodeId === 'ask' && { settings: { person: { question: 'Which way?' } } }),
  }));
  const links = ['left', 'right'].map((to) => ({ id: `ask>${to}`, from: 'ask', to, label: to }));
  const { status, body } = await ann.call<Pipeline>('POST', '/Pipeline', { name: 'Ways', projectId: 'default', steps, links });
  expect(status).toBe(201);
  const team = await releaseTeam(ann, 'ways', body);
  const runs = new Map<string, string | null>();
  const errands = createErrands();
  const dataOf = ({ reply_markup }: SentMessage) =>
    reply_markup?.inline_keyboard.flat().find(({ text }) => text === 'right')?.callback_data;
  const questions = () =>
    Map.groupBy(
      telegram.sent.filter((message) => dataOf(message) !== undefined),
      (message) => String(dataOf(message)).split(':')[0],
    );

  const pressed = new Set<unknown>();
  telegram.watchMessages((message) => {
    const question = dataOf(message)?.split(':')[0];
    if (question === undefined || pressed.has(question)) return;
    pressed.add(question);
    setTimeout(() => telegram.press(chatId, message, dataOf(message)), reactionMs);
  });

  return {
    begin: () => {
      const name = `question-${runs.size + 1}`;
      runs.set(name, null);
      errands.go(name, () =>
        untilAnswered(name, async () => {
          const answer = await ann.call<TeamRun>(
            'POST',
            `/team/${team.slug}/runs`,
            { input: { title: name } },
            { 'idempotency-key': name },
          );
          if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
          runs.set(name, answer.body.id);
          return true;
        }),
      );
    },
    problems: async () => {
      type Row = { id: string; status: string; questions: string[] };
      const rows = await rowsOf<Row>(
        storm,
        `SELECT e.id, e.status, ARRAY(SELECT q.id::text FROM questions q WHERE q.execution_id = e.id) AS questions FROM executions e WHERE id = ANY ($1)`,
        [[...runs.values()].filter((id) => id !== null)],
      );
      const asked = questions();
      const emptied = new Set(
        telegram.calls.flatMap(({ method, body: { message_id } }) => (method === 'editMessageReplyMarkup' ? [message_id] : [])),
      );
      const wrong = [...runs].flatMap(([name, id]) => {
        const row = rows.find((one) => one.id === id);
        const messages = asked.get(row?.questions[0]) ?? [];
        const isOver = row?.status === 'completed' && row.questions.length === 1 && storm.runsOf(name).size === 1;
        const open = messages.filter(({ message_id }) => !emptied.has(message_id));
        const isTold = messages.length === 1 || (messages.length > 1 && open.length === 0);
        return isOver && isTold
          ? []
          : [`${name}: ${row?.status}, ${row?.questions.length} questions, ${messages.length} messages, ${open.length} with buttons`];
      });
      const foreign = asked.size - runs.size;
      return [...errands.problems(), ...wrong, ...(foreign > 0 ? [`${foreign} questions of no run that was asked for`] : [])];
    },
    summary: () => {
      const more = [...questions().values()].filter(({ length }) => length > 1).length;
      return `${runs.size} questions in Telegram, ${more} of them twice`;
    },
  };
}
