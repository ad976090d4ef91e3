import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitingList } from '../waiting-list.ts';

/** What a receiver does with a call: an answer with a status, none at all, one header of which a byte comes each second, or a body without an end. */
type HookReply = { kind: 'status'; status: number; location?: string } | { kind: 'silent' } | { kind: 'slow' } | { kind: 'endless' };
export type ReceivedHook = {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  event: { type: string; timestamp: string; data: Record<string, unknown> };
};

/** The longest wait for a call (ms). */
const patienceMs = 40_000;

export type HookReceiver = Awaited<ReturnType<typeof startHookReceiver>>;

/** A local server that receives events of hooks. */
export async function startHookReceiver() {
  let reply: HookReply | ((call: ReceivedHook) => HookReply) = { kind: 'status', status: 204 };
  const calls = waitingList<ReceivedHook>('call of a hook', patienceMs);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = request.headers as Record<string, string>;
      const call = {
        path: request.url ?? '',
        headers,
        body,
        event: body === '' ? { type: '', timestamp: '', data: {} } : JSON.parse(body),
      };
      const now = typeof reply === 'function' ? reply(call) : reply;
      calls.add(call);
      if (now.kind === 'status') response.writeHead(now.status, now.location === undefined ? {} : { location: now.location }).end();
      if (now.kind === 'slow') {
        const { socket } = response;
        socket?.write('HTTP/1.1 204 No Content\r\nx-slow: ');
        const drip = setInterval(() => socket?.write('x'), 1_000);
        socket?.once('close', () => clearInterval(drip));
      }
      if (now.kind === 'endless') {
        response.writeHead(200);
        const piece = Buffer.alloc(64 * 1024, 'x');
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: calls.items,
    /** Waits for a call. */
    until: calls.until,
    /** Sets the answer to the next calls. */
    answer: (next: typeof reply) => {
      reply = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<unknown>((resolve) => server.close(resolve));
    },
  };
}
