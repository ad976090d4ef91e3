import type { WebSocket } from '@fastify/websocket';
import { closeCodes } from './live-socket.ts';

/** Which open sockets belong to which session, so that they end with it at once on this server. Others notice at their next heartbeat. */
export function createSocketSessions() {
  const open = new Map<string, Set<WebSocket>>();
  return {
    add(sessionId: string, socket: WebSocket) {
      const sockets = open.get(sessionId) ?? new Set();
      open.set(sessionId, sockets.add(socket));
      socket.on('close', () => {
        sockets.delete(socket);
        if (sockets.size === 0 && open.get(sessionId) === sockets) open.delete(sessionId);
      });
    },
    end(sessionId: string) {
      for (const socket of open.get(sessionId) ?? []) socket.close(closeCodes.sessionEnded, 'session ended');
    },
  };
}

export type SocketSessions = ReturnType<typeof createSocketSessions>;
