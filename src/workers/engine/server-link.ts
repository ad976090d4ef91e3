import type { BackendFault } from './backends/port.ts';
import { type ChannelParts, openChannel } from './realtime/open-channel.ts';
import type { RealtimeChannel } from './realtime/realtime-channel.ts';
import { watchForWaking } from './watch-for-waking.ts';

type ServerLinkOptions = Omit<ChannelParts, 'onConnected' | 'issueTicket'> & {
  /** The way to the server is open again: what waited for it can go on, and what it missed can be asked for. */
  onOpen: () => void;
  /** The workspace could not be opened before; now it may. */
  onReopen: () => void;
};

/** Keeps an eye on the way to the server: network, session, sleep of the machine, and the real-time channel. */
export class ServerLink {
  readonly #options: ServerLinkOptions;
  #channel: RealtimeChannel | null = null;
  readonly #stops: (() => void)[];

  constructor(options: ServerLinkOptions) {
    this.#options = options;
    const { environment } = options;
    this.#stops = [environment.onOnline(() => this.#wake()), watchForWaking(environment, () => this.#wake())];
  }

  get channel(): RealtimeChannel | null {
    return this.#channel;
  }

  /** Opens the channel, unless it is open or is not to be. */
  listen(realtime: 'auto' | 'off', issueTicket: ChannelParts['issueTicket']): void {
    const { store, onOpen } = this.#options;
    if (realtime === 'auto') {
      this.#channel ??= openChannel({ ...this.#options, issueTicket, onConnected: onOpen });
      return;
    }
    store.update(({ connection }) => {
      connection.realtime = 'off';
    });
  }

  /** Shows by a call's outcome whether the server can be reached and takes the token. */
  answered(fault: BackendFault | null): void {
    const { store } = this.#options;
    const online = !fault || fault.status > 0 || fault.kind === 'refused';
    const refused = fault?.kind === 'unauthenticated';
    const { connection } = store.state;
    if (connection.online === online && !(refused && connection.authenticated)) return;
    store.update((draft) => {
      draft.connection.online = online;
      if (refused) draft.connection.authenticated = false;
    });
  }

  /** The session was renewed or taken away; what waited for it goes on. */
  sessionChanged(): void {
    const { store, session, onOpen, onReopen } = this.#options;
    const current = session();
    store.update(({ connection }) => {
      connection.authenticated = current !== null;
    });
    if (!current) {
      this.#channel?.rest();
      return;
    }
    if (store.state.status !== 'ready') onReopen();
    onOpen();
    this.#channel?.renew(current.accessToken);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#channel?.close();
  }

  /** The network or the whole machine was away: a socket that says that it is open may have nobody at the other end. */
  #wake(): void {
    const { store, onOpen, onReopen } = this.#options;
    if (store.state.status === 'failed') onReopen();
    this.#channel?.refresh();
    onOpen();
  }
}
