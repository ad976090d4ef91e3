import type { TelegramState } from '../telegram.ts';
import type { OperationDocs } from './operation.ts';
import { sampleIds, sampleTimes } from './samples.ts';

const { project: id } = sampleIds;

const state: TelegramState = {
  hasBot: true,
  problem: null,
  chat: { name: '@anna', boundAt: sampleTimes.created, blockedAt: null, lostAt: null },
  events: ['run.ended', 'question.opened', 'budget.reached', 'published'],
  urgent: ['question.opened'],
  quiet: { from: 22, to: 8, timeZone: 'Europe/Moscow' },
};

export const telegramOperations: OperationDocs<'telegram'> = {
  'telegram.get': {
    summary: 'Get the Telegram chat of the account',
    description: 'Returns the chat that the account has with the bot of this server, and what it is told of the project.',
    example: { params: { id }, response: state },
  },
  'telegram.createLink': {
    summary: 'Make a link to a Telegram chat',
    description:
      'The person who opens the link within 15 minutes binds a chat, once, and is told of all events of the project. It ends an earlier link, and moves a chat of another account only after a press there. Fails with `hook_refused` where the server has no bot.',
    example: {
      params: { id },
      response: { url: 'https://t.me/artel_bot?start=MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', expiresAt: sampleTimes.started },
    },
  },
  'telegram.update': {
    summary: 'Change what a Telegram chat is told',
    description:
      'Sets which events of the project the chat is told, its quiet hours, and which events come in them too. What is not given stays. Fails with `hook_refused` for an account without a chat.',
    example: { params: { id }, body: { events: ['question.opened'] }, response: { ...state, events: ['question.opened'] } },
  },
  'telegram.remove': {
    summary: 'Unbind the Telegram chat',
    description: 'Nothing more is sent to the chat, and nothing can be answered from it.',
    example: {},
  },
};
