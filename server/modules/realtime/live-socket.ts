import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import type { ExecutionUpdate, ServerMessage } from '../../../contract/realtime.ts';
import { messageText } from '../../http/message-text.ts';
import { createPendingTexts, isPartialText } from '../../platform/bus/pending-texts.ts';

/** Waiting bytes from which a client is slow, and from which it is disconnected. */
const behindBytes = 64 * 1024;
const maxWaitingBytes = 1024 * 1024;

/** Close codes for clients. */
export const closeCodes = { sessionEnded: 4401, tryLater: 1013, badMessage: 1008, goingAway: 1001 } as const;

const asText = { binary: false };

/**
 * Sends JSON to one client. For a slow client, additions to streamed texts are merged into one message a text. A client with more than
 * 1 MiB waiting is disconnected. It connects again and names its last events, so nothing is missed and the server's memory stays bounded.
 */
export function createLiveSocket(socket: WebSocket, connection: Socket) {
  const texts = createPendingTexts();
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });

  const caughtUp = () => {
    if (socket.readyState !== socket.OPEN) return;
    for (const message of texts.take()) socket.send(messageText(message), asText);
  };

  return {
    send(message: ServerMessage | ExecutionUpdate) {
      if (socket.readyState !== socket.OPEN) return;
      const waiting = socket.bufferedAmount;
      if (message.type !== 'execution_update' && isPartialText(message) && (waiting > behindBytes || !texts.isEmpty())) {
        if (texts.isEmpty()) connection.once('drain', caughtUp);
        texts.add(message);
      } else if (waiting > maxWaitingBytes) socket.terminate();
      else {
        coalesceWrites(connection);
        socket.send(messageText(message), asText);
      }
    },
    /** Resolves when a slow client has caught up or is gone; null for a client that is not slow. */
    whenDrained(): Promise<void> | null {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount <= behindBytes) return null;
      return new Promise((resolve) => {
        const done = () => {
          connection.removeListener('drain', done);
          connection.removeListener('close', done);
          resolve();
        };
        connection.once('drain', done);
        connection.once('close', done);
      });
    },
    /** Disconnects a client that has not answered the last ping, else pings it again. */
    heartbeat() {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    },
  };
}

const corked = new Set<Socket>();

/**
 * Sends everything that is written to a connection until the end of this turn of the event loop in one piece. A fast server sends each
 * message by itself. A busy one has several messages in a turn, and sends them for the cost of one.
 */
function coalesceWrites(connection: Socket): void {
  if (corked.has(connection)) return;
  if (corked.size === 0) setImmediate(uncorkAll);
  corked.add(connection);
  connection.cork();
}

function uncorkAll(): void {
  for (const connection of corked) connection.uncork();
  corked.clear();
}
