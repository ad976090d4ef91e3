import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

const endings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `done` once: when the answer has been sent, or when its connection has closed. Node reports no close to an answer that waits
 * behind another one of its connection, so the socket is watched, once for all its answers.
 */
export function onResponseEnd({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, done: () => void): void {
  const open = endings.get(socket) ?? listenTo(socket);
  const end = () => {
    if (!open.delete(end)) return;
    response.off('close', end);
    done();
  };
  open.add(end);
  response.once('close', end);
  if (socket.destroyed) end();
}

function listenTo(socket: Socket): Set<() => void> {
  const open = new Set<() => void>();
  endings.set(socket, open);
  socket.once('close', () => {
    for (const end of [...open]) end();
  });
  return open;
}
