import { expect, test } from 'vitest';
import type { TelegramState } from '../../../contract/telegram.ts';
import type { Api } from '../../../src/api/create-api.ts';
import { TelegramStore } from '../../../src/app/connect/telegram-store.ts';

const chat = { name: '@ann', boundAt: '2026-01-15T09:00:00.000Z', blockedAt: null, quiet: null };

test('K7.10 a link is shown until a person has followed it, and events are chosen one by one', async () => {
  let state: TelegramState = { hasBot: true, chat: null, events: [] };
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
  state = { hasBot: true, chat, events: ['published'] };
  await expect.poll(() => store.get().telegram.chat?.name).toBe('@ann');
  expect(store.get().link).toBeNull();
  await store.toggle('run.ended', true);
  await store.toggle('published', false);
  expect(sent).toEqual([{ events: ['run.ended', 'published'] }, { events: ['run.ended'] }]);
  store.close();
});
