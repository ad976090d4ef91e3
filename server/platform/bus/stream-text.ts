import type { TextPiece } from '../../../contract/executions/streamed-text.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Bus } from './bus.ts';
import { throttle } from './throttle.ts';

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
  return streamPieces(bus, userId, pieceIntervalMs, (piece) => ({ type: 'agent_thought', ...about, ...piece, partial: true, ...mark }));
}

export type StreamAbout = Pick<TestLog, 'projectId' | 'executionId' | 'stepId'>;

/** Streams the log of a step's tests to a user's listeners. */
export function streamLog(bus: Streaming, userId: string, about: StreamAbout) {
  return streamPieces(bus, userId, logIntervalMs, (piece) => ({ type: 'test_log', ...about, ...piece }));
}

/**
 * Each message has the added text and its position. On request the whole text is sent from position 0. The cost is linear in the length of
 * the text.
 */
function streamPieces(bus: Streaming, userId: string, intervalMs: number, toMessage: (piece: TextPiece) => ServerMessage) {
  let sent = '';
  let unsent = '';
  let isWholeWanted = false;

  const publish = (position: number, text: string) => {
    for (let start = 0; start < text.length; start += maxPieceLength) {
      const content = text.slice(start, start + maxPieceLength);
      bus.publish(userId, toMessage({ content, position: position + start }));
    }
  };
  let beginning: NodeJS.Immediate | null = null;
  let hasBegun = false;
  const pieces = throttle(intervalMs, () => {
    const position = sent.length;
    const added = unsent;
    sent += added;
    unsent = '';
    if (isWholeWanted) publish(0, sent);
    else publish(position, added);
    isWholeWanted = false;
  });
  const wholes = throttle(fullTextIntervalMs, () => {
    isWholeWanted = true;
    pieces.offer(undefined);
  });
  /** An answer that arrives as a whole ends before this, and is sent only as the result. */
  const begin = () => {
    hasBegun = true;
    pieces.offer(undefined);
  };
  const unsubscribe = bus.subscribe(userId, (message) => {
    if (message.type === 'texts_wanted' && sent !== '') wholes.offer(undefined);
  });

  return {
    add(text: string) {
      if (text === '') return;
      unsent += text;
      if (hasBegun) pieces.offer(undefined);
      else beginning ??= setImmediate(begin);
    },
    /** Begins the text again: the model is called once more. */
    restart() {
      sent = '';
      unsent = '';
    },
    /** Stops sending. */
    stop() {
      unsubscribe();
      if (beginning) clearImmediate(beginning);
      wholes.stop();
      pieces.stop();
    },
  };
}
