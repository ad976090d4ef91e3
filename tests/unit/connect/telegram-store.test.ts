import { expect, test } from 'vitest';
import type { TelegramState } from '../../../contract/telegram.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { TelegramStore } from '../../../src/app/connect/telegram-store.ts';

const chat = { name: '@ann', boundAt: '2026-01-15T09:00:00.000Z', blockedAt: null, lostAt: null };

test('K7.10 a link is shown until a person has followed it, and events are chosen one by one', async () => {
  let state: TelegramState = { hasBot: true, problem: null, chat: null, events: [], urgent: [], quiet: null };
  const link = { url: 'https://t.me/artel_bot?start=x', expiresAt: new Date(Date.now() + 60_000).toISOString() };
  const sent: unknown[] = [];
  const answers: Record<string, () => unknown> = { 'telegram.get': () => state, 'telegram.createLink': () => link };
  const call = async (name: string, { body }: { body?: object } = {}) => {
    if (name !== 'telegram.update') return answers[name]?.();
    sent.push(body);
    state = { ...state, ...body };
    return state;
  };
  const store = new TelegramStore({ call } as unknown as Api, 'p');
  await store.load();
  await store.connect();
  expect(store.get().link).toEqual(link);
  state = { ...state, chat, events: ['published'] };
  await expect.poll(() => store.get().telegram.chat?.name).toBe('@ann');
  expect(store.get().link).toBeNull();
  // Quick presses: each is made from what the one before has left.
  const presses = [
    store.toggle('events', 'run.ended', true),
    store.toggle('events', 'published', false),
    store.toggle('urgent', 'run.ended', true),
  ];
  expect(await Promise.all(presses)).toEqual([true, true, true]);
  expect(sent).toEqual([{ events: ['run.ended', 'published'] }, { events: ['run.ended'] }, { urgent: ['run.ended'] }]);
  store.close();
});
