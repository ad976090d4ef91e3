import type { Socket } from 'node:net';

const corked = new Set<Socket>();

/**
 * Sends everything that is written to a connection until the end of this turn of the event loop in one piece. A fast server sends each
 * message by itself. A busy one has several messages in a turn, and sends them for the cost of one.
 */
export function coalesceWrites(connection: Socket): void {
  if (corked.has(connection)) return;
  if (corked.size === 0) setImmediate(uncorkAll);
  corked.add(connection);
  connection.cork();
}

function uncorkAll(): void {
  for (const connection of corked) connection.uncork();
  corked.clear();
}
