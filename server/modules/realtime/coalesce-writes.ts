import type { Socket } from 'node:net';

const corked = new Set<Socket>();

/**
 * What is written to a connection from here to the end of this turn of the event loop goes out in one piece. A server that keeps up sends each
 * message by itself; one that falls behind has more of them in a turn, and sends them for the cost of one.
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
