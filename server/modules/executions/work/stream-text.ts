import type { ServerMessage } from '../../../../contract/realtime.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import { throttle } from './throttle.ts';

type Thought = Extract<ServerMessage, { type: 'agent_thought' }>;

/** Streamed text goes out at most ten times a second for each step or command (ms). R46 */
export const pieceEveryMs = 100;
/** The whole text so far goes out no more often than that, however often listeners ask (ms). */
export const wholeEveryMs = 2_000;
/** Largest piece in one message (UTF-16 units): a message stays below what NATS takes. */
const maxPieceLength = 128 * 1024;

/**
 * Tells a user's listeners the text of one step or command as it grows: each message carries what was added and where it begins. A listener that
 * asks is sent the whole text so far, from position 0. The cost follows the length of the text, not its square.
 */
export function streamText(
  bus: Pick<Bus, 'publish' | 'subscribe'>,
  userId: string,
  about: Pick<Thought, 'agentId' | 'projectId' | 'executionId' | 'stepId' | 'commandId'>,
) {
  let sent = '';
  let unsent = '';
  let isWholeWanted = false;

  const publish = (position: number, text: string) => {
    for (let start = 0; start < text.length; start += maxPieceLength) {
      const content = text.slice(start, start + maxPieceLength);
      bus.publish(userId, { type: 'agent_thought', ...about, content, position: position + start, partial: true });
    }
  };
  const pieces = throttle(pieceEveryMs, () => {
    const position = sent.length;
    const added = unsent;
    sent += added;
    unsent = '';
    if (isWholeWanted) publish(0, sent);
    else publish(position, added);
    isWholeWanted = false;
  });
  const wholes = throttle(wholeEveryMs, () => {
    isWholeWanted = true;
    pieces.offer(undefined);
  });
  const unsubscribe = bus.subscribe(userId, (message) => {
    if (message.type === 'texts_wanted' && sent !== '') wholes.offer(undefined);
  });

  return {
    add(text: string) {
      if (text === '') return;
      unsent += text;
      pieces.offer(undefined);
    },
    /** The model is asked again: the text begins anew. */
    restart() {
      sent = '';
      unsent = '';
    },
    /** Sends nothing more. */
    stop() {
      unsubscribe();
      wholes.stop();
      pieces.stop();
    },
  };
}
