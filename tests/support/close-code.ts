import type { WebSocket } from 'ws';

/**
 * Resolves with the code of the server's close frame when it arrives, or of the end of the connection when none does. Only then cuts the
 * connection: the server keeps that of a client that exceeded its limits open for some seconds, which no test has to wait for.
 */
export function closeCode(socket: WebSocket): Promise<number> {
  // The library has no public event for the frame.
  const { _receiver: receiver } = socket as unknown as { _receiver: NodeJS.EventEmitter };
  receiver.once('conclude', () => setImmediate(() => socket.terminate()));
  return new Promise((resolve) => socket.once('close', resolve));
}
