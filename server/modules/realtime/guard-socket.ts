import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import { elapsed } from '../../platform/clock.ts';
import { closeCodes } from './live-socket.ts';
import { socketLimits } from './socket-limits.ts';
import { createTokenBucket } from './token-bucket.ts';

/** The fields of the library's reader that show an unfinished message. A test checks that they still do. */
type Reader = { _fragmented: number; _bufferedBytes: number; _state: number };

/**
 * Limits a socket: the rate of its messages, pings and pongs, its share of the rates of account and address, and the time of one message.
 * A socket that exceeds a limit is closed, its later messages are not read, and its connection is cut some seconds later. Calls `onMessage`
 * with each message within the limits, which is UTF-8 also in a binary frame.
 */
export function guardSocket(
  socket: WebSocket,
  connection: Socket,
  accountTake: (cost: number) => boolean,
  onMessage: (text: string) => void,
): void {
  const bucket = createTokenBucket(socketLimits.socket, elapsed);
  let finished = 0;
  let deadline: NodeJS.Timeout | null = null;
  let cut: NodeJS.Timeout | null = null;
  let isClosed = false;

  const refuse = (why: string) => {
    if (isClosed) return;
    isClosed = true;
    socket.close(closeCodes.badMessage, why);
    socket.pause();
    cut = setTimeout(() => socket.terminate(), socketLimits.abuseGoodbyeMs);
  };
  const isAllowed = (cost: number) => {
    if (isClosed) return false;
    if (bucket.take(cost) && accountTake(cost)) return true;
    refuse('too many messages');
    return false;
  };
  const isUnfinished = () => {
    const reader = (socket as unknown as { _receiver: Reader | null })._receiver;
    return reader !== null && (reader._fragmented !== 0 || reader._bufferedBytes > 0 || reader._state !== 0);
  };
  const watchDeadline = () => {
    if (deadline !== null || isClosed) return;
    const before = finished;
    deadline = setTimeout(() => {
      deadline = null;
      if (!isUnfinished()) return;
      if (finished === before) refuse('unfinished message');
      else watchDeadline();
    }, socketLimits.unfinishedMs);
    deadline.unref();
  };

  connection.on('data', watchDeadline);
  socket.on('ping', () => isAllowed(1));
  socket.on('pong', () => isAllowed(1));
  socket.on('message', (data) => {
    finished += 1;
    const bytes = data as Buffer;
    if (!isAllowed(Math.max(1, Math.ceil(bytes.length / socketLimits.bytesOfMessage)))) return;
    if (isUtf8(bytes)) onMessage(String(bytes));
    else refuse('not UTF-8');
  });
  socket.on('close', () => {
    isClosed = true;
    connection.removeListener('data', watchDeadline);
    if (deadline) clearTimeout(deadline);
    if (cut) clearTimeout(cut);
  });
}
