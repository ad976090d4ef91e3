import { type Throttled, throttle } from '../../../async/throttle.ts';
import type { TextPiece } from '../../../contract/executions/streamed-text.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Bus } from './bus.ts';

type Thought = Extract<ServerMessage, { type: 'agent_thought' }>;
type TestLog = Extract<ServerMessage, { type: 'test_log' }>;

/** The shortest interval between two pieces of text for each step or command (ms). R46 */
const pieceIntervalMs = 100;
/** The same for a log, of which more comes at once (ms). */
const logIntervalMs = 500;
/** The minimum interval between two messages with the whole text (ms). */
export const fullTextIntervalMs = 2_000;
/** The maximum length of a piece (UTF-16 units): a message stays below the limit of NATS. */
const maxPieceLength = 128 * 1024;

type Streaming = Pick<Bus, 'publish' | 'subscribe'>;

/** Streams the text of one step or command to a user's listeners. */
export function streamText(
  bus: Streaming,
  userId: string,
  {
    simulated = false,
    ...about
  }: Pick<Thought, 'agentId' | 'projectId' | 'executionId' | 'stepId' | 'commandId'> & { simulated?: boolean },
) {
  const mark = simulated ? { simulated } : {};
  return new PieceStream(bus, userId, pieceIntervalMs, (piece) => ({ type: 'agent_thought', ...about, ...piece, partial: true, ...mark }));
}

export type StreamAbout = Pick<TestLog, 'projectId' | 'executionId' | 'stepId'>;

/** Streams the log of a step's tests to a user's listeners. */
export function streamLog(bus: Streaming, userId: string, about: StreamAbout) {
  return new PieceStream(bus, userId, logIntervalMs, (piece) => ({ type: 'test_log', ...about, ...piece }));
}

/**
 * Each message has the added text and its position. On request the whole text is sent from position 0. The cost is linear in the length of
 * the text.
 */
class PieceStream {
  readonly #publish: (piece: TextPiece) => void;
  readonly #unsubscribe: () => void;
  readonly #sendSoon: Throttled;
  readonly #sendWholeSoon = throttle(() => this.#sendWhole(), { ms: fullTextIntervalMs, later });
  #sent = '';
  #unsent = '';
  #isWholeWanted = false;
  #beginning: NodeJS.Immediate | null = null;
  #hasBegun = false;

  constructor(bus: Streaming, userId: string, intervalMs: number, toMessage: (piece: TextPiece) => ServerMessage) {
    this.#publish = (piece) => bus.publish(userId, toMessage(piece));
    this.#sendSoon = throttle(() => this.#send(), { ms: intervalMs, later });
    this.#unsubscribe = bus.subscribe(userId, (message) => {
      if (message.type === 'texts_wanted' && this.#sent !== '') this.#sendWholeSoon();
    });
  }

  add(text: string): void {
    if (text === '') return;
    this.#unsent += text;
    if (this.#hasBegun) this.#sendSoon();
    else this.#beginning ??= setImmediate(() => this.#begin());
  }

  /** Begins the text again: the model is called once more. */
  restart(): void {
    this.#sent = '';
    this.#unsent = '';
  }

  /** Stops sending. */
  stop(): void {
    this.#unsubscribe();
    if (this.#beginning) clearImmediate(this.#beginning);
    this.#sendWholeSoon.cancel();
    this.#sendSoon.cancel();
  }

  /** An answer that arrives as a whole ends before this, and is sent only as the result. */
  #begin(): void {
    this.#hasBegun = true;
    this.#sendSoon();
  }

  #sendWhole(): void {
    this.#isWholeWanted = true;
    this.#sendSoon();
  }

  #send(): void {
    const position = this.#isWholeWanted ? 0 : this.#sent.length;
    this.#sent += this.#unsent;
    const text = this.#isWholeWanted ? this.#sent : this.#unsent;
    this.#unsent = '';
    this.#isWholeWanted = false;
    for (let start = 0; start < text.length; start += maxPieceLength) {
      this.#publish({ content: text.slice(start, start + maxPieceLength), position: position + start });
    }
  }
}

function later(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}
