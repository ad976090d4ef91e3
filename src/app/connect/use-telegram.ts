import { useEffect, useRef, useState } from 'react';
import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { TelegramLink, TelegramState, TelegramUpdate } from '../../../contract/telegram.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useRead } from '../server-data/use-read.ts';

/** The events of a project that the chat is told, and those of them that come in quiet hours too. */
export type EventList = 'events' | 'urgent';

/** The pause before the server is asked whether the link has bound a chat (ms). */
const lookAgainMs = 2_000;

/** The Telegram chat of the account, and what it is told of a project. K7.10 */
export function useTelegram(projectId: string) {
  const input = { params: { id: projectId } };
  /** The link that was made last, and when the chat was bound that was there before. */
  const [made, setMade] = useState<{ link: TelegramLink; boundBefore: string | null } | null>(null);
  const isWaited = (telegram: TelegramState | null) =>
    made !== null && (!telegram?.chat || telegram.chat.boundAt === made.boundBefore) && new Date(made.link.expiresAt) > new Date();
  const remote = useRead('telegram.get', input, { pauseMs: (telegram) => (isWaited(telegram) ? lookAgainMs : null) });
  const chat = remote.value?.chat ?? null;
  const { call, isBusy, problem } = useMutation({ invalidates: ['telegram.get'], inTurn: true });
  /** What is known last: it is told of quick presses and of answers while nothing can be read. */
  const latest = useRef<TelegramState | null>(null);
  useEffect(() => {
    if (remote.value !== null) latest.current = remote.value;
  }, [remote.value]);
  const change = (make: (telegram: TelegramState) => TelegramUpdate) => {
    const { current } = latest;
    return (
      current &&
      call(
        'telegram.update',
        () => ({ ...input, body: make(latest.current ?? current) }),
        (telegram) => {
          latest.current = telegram;
        },
      )
    );
  };
  return {
    ...{ remote, isBusy, problem, change },
    /** Null once it has bound a chat. */
    link: made && (chat === null || chat.boundAt === made.boundBefore) ? made.link : null,
    connect: () => call('telegram.createLink', input, (link) => setMade({ link, boundBefore: chat?.boundAt ?? null })),
    /** Adds an event to a list or takes it out. */
    toggle: (list: EventList, event: HookEvent, isOn: boolean) =>
      change((telegram) => ({ [list]: hookEvents.filter((one) => (one === event ? isOn : telegram[list].includes(one))) })),
    unbind: () => call('telegram.remove', {}, () => setMade(null)),
  };
}

export type Telegram = ReturnType<typeof useTelegram>;
