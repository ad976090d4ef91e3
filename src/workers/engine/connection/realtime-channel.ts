import { type Throttled, throttle } from '../../../../async/throttle.ts';
import { type ClientMessage, type ServerMessage, serverMessage } from '../../../../contract/realtime.ts';
import { withoutTrailingSlashes } from '../../../../contract/without-trailing-slashes.ts';
import { normalizeServerMessage } from '../../../model/normalize-server-answer.ts';
import type { ConnectionState } from '../../../model/workspace-state.ts';
import type { Environment, Socket } from '../environment/environment.ts';

/** W4.17 */
const openAfterMs = 1_000;
const maxReconnects = 5;
const reconnectBaseMs = 1_000;
/** The interval of attempts after the reconnects are used up (ms). They are not reported. */
const quietRetryMs = 30_000;
/** The minimum interval between two requests for the streamed texts (ms). */
const textRequestIntervalMs = 2_000;
/** The time that a connection may take to open (ms). */
export const openTimeoutMs = 15_000;

type RealtimeOptions = {
  environment: Pick<Environment, 'openSocket' | 'later' | 'warn'>;
  /** The address; null without a session. A rejection counts as a failed connection. */
  url: () => Promise<string | null>;
  /** The number of the newest known event of each execution. */
  since: () => Record<string, number>;
  onMessage: (message: ServerMessage) => void;
  onState: (state: ConnectionState['realtime']) => void;
  onBadMessage: () => void;
  /** The reconnects are used up. */
  onGaveUp: () => void;
};

/** The socket for messages of the server. Without it everything works by polling, but with a delay. */
export class RealtimeChannel {
  readonly #options: RealtimeOptions;
  readonly #sendForTexts: Throttled;
  #socket: Socket | null = null;
  /** Counts attempts to connect, so that an abandoned attempt does not continue. */
  #opening = 0;
  #isOpening = false;
  #connected = false;
  #attempts = 0;
  /** The user disconnected it. */
  #unwanted = false;
  #cancelTimer: (() => void) | null = null;

  constructor(options: RealtimeOptions) {
    this.#options = options;
    const { later } = options.environment;
    this.#sendForTexts = throttle(() => this.#send({ type: 'texts' }), { ms: textRequestIntervalMs, trailing: false, later });
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Connects 1 s from now: the project loads first. */
  start(): void {
    this.#wait(openAfterMs);
  }

  /** Connects immediately, and counts reconnects from zero. */
  connect(): void {
    this.#unwanted = false;
    this.#attempts = 0;
    if (!this.#socket && !this.#isOpening) void this.#open();
  }

  /** Disconnects until `connect` is called, also when the session is refreshed. */
  disconnect(): void {
    this.#unwanted = true;
    this.rest();
  }

  /** Replaces a connection that may be dead. */
  refresh(): void {
    if (this.#unwanted) return;
    const socket = this.#socket;
    this.#forget();
    socket?.close();
    this.connect();
  }

  /** The server answers again: a connection whose reconnects are used up is tried at once, and not after its long pause. */
  serverAnswers(): void {
    const isQuiet = this.#attempts > maxReconnects && !this.#socket && !this.#isOpening;
    if (isQuiet && !this.#unwanted) void this.#open();
  }

  /** Disconnects until there is a session again. */
  rest(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const socket = this.#socket;
    this.#forget();
    socket?.close();
    this.#options.onState('disconnected');
  }

  /** Sends a refreshed token over an open socket; opens one where there is none. */
  sendToken(accessToken: string): void {
    if (this.#connected || this.#unwanted) this.#send({ type: 'token', accessToken });
    else this.connect();
  }

  /** Requests the streamed texts from their beginning, after a part of one was missed. */
  requestTexts(): void {
    if (this.#connected) this.#sendForTexts();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#sendForTexts.cancel();
    const socket = this.#socket;
    this.#forget();
    socket?.close();
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    const opening = this.#opening;
    const isGivenUp = () => opening !== this.#opening;
    this.#isOpening = true;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.environment.later(openTimeoutMs, () => {
      const socket = this.#socket;
      this.#closed();
      socket?.close();
    });
    this.#options.onState('connecting');
    let socket: Socket;
    try {
      const url = await this.#options.url();
      if (isGivenUp()) return;
      if (url === null) {
        this.#cancelTimer?.();
        this.#cancelTimer = null;
        this.#isOpening = false;
        this.#options.onState('disconnected');
        return;
      }
      socket = this.#options.environment.openSocket(url);
    } catch {
      // The server issued no ticket, or the browser refused the URL, such as ws: on a secure page.
      if (!isGivenUp()) this.#closed();
      return;
    }
    this.#socket = socket;
    this.#isOpening = false;
    socket.onopen = () => {
      this.#cancelTimer?.();
      this.#cancelTimer = null;
      this.#connected = true;
      this.#attempts = 0;
      this.#send({ type: 'since', since: this.#options.since() });
      this.#options.onState('connected');
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = () => this.#closed();
  }

  #receive(data: unknown): void {
    const message = serverMessage.safeParse(normalizeServerMessage(parse(data)));
    if (message.success) this.#options.onMessage(message.data);
    else this.#options.onBadMessage();
  }

  #closed(): void {
    this.#forget();
    this.#options.onState('disconnected');
    this.#attempts += 1;
    if (this.#attempts === maxReconnects + 1) this.#options.onGaveUp();
    this.#wait(this.#attempts > maxReconnects ? quietRetryMs : reconnectBaseMs * this.#attempts);
  }

  #forget(): void {
    if (this.#socket) {
      this.#socket.onopen = null;
      this.#socket.onmessage = null;
      this.#socket.onclose = null;
    }
    this.#socket = null;
    this.#connected = false;
    this.#opening += 1;
    this.#isOpening = false;
  }

  #wait(ms: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.environment.later(ms, () => void this.#open());
  }

  #send(message: ClientMessage): void {
    if (this.#connected) this.#socket?.send(JSON.stringify(message));
    else this.#options.environment.warn(`WebSocket not connected: ${message.type} was not sent`);
  }
}

/** Returns the channel's URL, with a ticket, or with an access token for a server without tickets. */
export function realtimeUrl(apiBase: string, opener: { ticket: string } | { token: string }, page?: string): string {
  const url = new URL(`${withoutTrailingSlashes(apiBase)}/natsws`, page);
  url.protocol = url.protocol.replace('http', 'ws');
  for (const [name, value] of Object.entries(opener)) url.searchParams.set(name, value);
  return url.href;
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
