import type { WebSocket } from '@fastify/websocket';

/** How often a socket is asked for a sign of life and its session is looked at (ms). */
const heartbeatMs = 10_000;
/** Bytes that may wait for a slow client before it has to come again. */
const mostWaitingBytes = 8 * 1024 * 1024;

/** Codes of closing, as clients see them. */
export const closeCodes = { sessionEnded: 4401, tryLater: 1013, badMessage: 1008, goingAway: 1001 } as const;

/**
 * Sends JSON to one client and notices when it is gone, too slow, or its session has ended. `sessionAlive` answers false
 * when it has; when it throws, nobody knows, and the socket stays.
 */
export function createLiveSocket(socket: WebSocket, sessionAlive: () => Promise<boolean>) {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  const heartbeat = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
    sessionAlive().then(
      (alive) => {
        if (!alive) socket.close(closeCodes.sessionEnded, 'session ended');
      },
      () => {},
    );
  }, heartbeatMs);
  socket.on('close', () => clearInterval(heartbeat));

  return {
    send(message: object) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > mostWaitingBytes) socket.close(closeCodes.tryLater, 'too slow');
      else socket.send(JSON.stringify(message));
    },
  };
}
