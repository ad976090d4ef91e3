import { type HookEvent, hookEvents } from '../../../contract/hook.ts';
import type { TelegramLink, TelegramState, TelegramUpdate } from '../../../contract/telegram.ts';
import type { Api } from '../../api/create-api.ts';
import { type ApiState, ApiStore } from '../api-list/api-store.ts';

/** The events of a project that the chat is told, and those of them that come in quiet hours too. */
export type EventList = 'events' | 'urgent';

type ChatState = {
  telegram: TelegramState;
  /** The link that was made last; null once it has bound a chat. */
  link: TelegramLink | null;
};

/** The pause before the server is asked whether the link has bound a chat (ms). */
const lookAgainMs = 2_000;

/** The Telegram chat of the account, and what it is told of a project. K7.10 */
export class TelegramStore extends ApiStore<ChatState> {
  readonly #params: { id: string };
  #changes: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api, projectId: string) {
    super(api, { telegram: { hasBot: false, problem: null, chat: null, events: [], urgent: [], quiet: null }, link: null });
    this.#params = { id: projectId };
  }

  load(): Promise<boolean> {
    return this.attempt(async () => this.show(await this.#read()));
  }

  /** Makes a link, and waits until a person has followed it. */
  connect(): Promise<boolean> {
    return this.attempt(async () => {
      const link = await this.api.call('telegram.createLink', { params: this.#params });
      this.show({ link });
      this.#lookLater();
    });
  }

  /** Makes one change after another: a quick second press would undo the first one. */
  change(make: () => TelegramUpdate): Promise<boolean> {
    const change = this.#changes.then(() =>
      this.attempt(async () => this.show({ telegram: await this.api.call('telegram.update', { params: this.#params, body: make() }) })),
    );
    this.#changes = change.catch(() => {});
    return change;
  }

  /** Adds an event to a list or takes it out. */
  toggle(list: EventList, event: HookEvent, isOn: boolean): Promise<boolean> {
    return this.change(() => {
      const chosen = this.get().telegram[list];
      return { [list]: hookEvents.filter((one) => (one === event ? isOn : chosen.includes(one))) };
    });
  }

  unbind(): Promise<boolean> {
    return this.attempt(async () => {
      await this.api.call('telegram.remove', {});
      this.show(await this.#read());
    });
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #read(): Promise<Partial<ApiState & ChatState>> {
    const before = this.get().telegram.chat;
    const telegram = await this.api.call('telegram.get', { params: this.#params });
    const isBound = telegram.chat !== null && telegram.chat.boundAt !== before?.boundAt;
    return { telegram, status: 'ready', ...(isBound && { link: null }) };
  }

  #lookLater(): void {
    this.close();
    this.#timer = setTimeout(async () => {
      await this.quietly(() => this.#read());
      const { link } = this.get();
      if (this.#timer && link && new Date(link.expiresAt) > new Date()) this.#lookLater();
    }, lookAgainMs);
  }
}
