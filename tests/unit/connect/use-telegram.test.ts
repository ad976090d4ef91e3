import { expect, test, vi } from 'vitest';
import type { TelegramState } from '../../../contract/telegram.ts';
import { useTelegram } from '../../../src/app/connect/use-telegram.ts';
import { hookOn } from '../../support/played-data.ts';

vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));

const chat = { name: '@ann', boundAt: '2026-01-15T09:00:00.000Z', blockedAt: null, lostAt: null };

test('K7.10 a link is shown until a person has followed it, and events are chosen one by one', async () => {
  let state: TelegramState = { hasBot: true, problem: null, chat: null, events: [], urgent: [], quiet: null };
  const link = { url: 'https://t.me/artel_bot?start=x', expiresAt: new Date(Date.now() + 60_000).toISOString() };
  const sent: unknown[] = [];
  const telegram = hookOn(
    {
      'telegram.get': () => state,
      'telegram.createLink': () => link,
      'telegram.update': ({ body }) => {
        sent.push(body);
        state = { ...state, ...body };
        return state;
      },
      'telegram.remove': () => {
        state = { ...state, chat: null };
      },
    },
    () => useTelegram('p'),
  );
  await expect.poll(() => telegram.get().remote.value).toEqual(state);
  await telegram.get().connect();
  expect(telegram.get().link).toEqual(link);
  state = { ...state, chat, events: ['published'] };
  await expect.poll(() => telegram.get().remote.value?.chat?.name).toBe('@ann');
  expect(telegram.get().link).toBeNull();
  // Quick presses: each is made from what the one before has left.
  const { toggle, unbind } = telegram.get();
  const presses = [toggle('events', 'run.ended', true), toggle('events', 'published', false), toggle('urgent', 'run.ended', true)];
  expect((await Promise.all(presses)).every(Boolean)).toBe(true);
  expect(sent).toEqual([{ events: ['run.ended', 'published'] }, { events: ['run.ended'] }, { urgent: ['run.ended'] }]);
  await unbind();
  // A link that has bound a chat is of no use any more.
  expect(telegram.get()).toMatchObject({ link: null, remote: { value: { chat: null } } });
  telegram.close();
});
