import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type RoundRobin = {
  url: string;
  port: number;
  close: () => Promise<void>;
};

type RoundRobinOptions = {
  host?: string;
  /** 0 (the default) lets the system choose. */
  port?: number;
  /** Returns the addresses of the servers, for each call. */
  targets: () => readonly string[];
};

const checkEveryMs = 500;
const checkLimitMs = 2_000;

/**
 * A small load balancer for one machine: calls and WebSockets go to the servers in turn, for all callers. A server that
 * is not ready, or that refuses a connection, is skipped.
 */
export async function startRoundRobin({ host = '127.0.0.1', port = 0, targets }: RoundRobinOptions): Promise<RoundRobin> {
  const unready = new Set<string>();
  const open = new Set<Socket>();
  let turn = 0;

  /** Servers in the order to try them: by turn, with servers that are not ready last. */
  const inTurn = (): string[] => {
    const all = targets();
    turn += 1;
    const rotated = all.map((_, index) => all[(turn + index) % all.length] as string);
    return [...rotated.filter((target) => !unready.has(target)), ...rotated.filter((target) => unready.has(target))];
  };
  const check = setInterval(() => {
    for (const target of targets()) {
      fetch(`${target}/ready`, { signal: AbortSignal.timeout(checkLimitMs) }).then(
        (answer) => (answer.ok ? unready.delete(target) : unready.add(target)),
        () => unready.add(target),
      );
    }
  }, checkEveryMs);
  check.unref();

  const server = createServer((from, to) => forward(from, to, inTurn()));
  server.on('upgrade', (from, socket, head) => upgrade(from, socket as Socket, head, inTurn(), open));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    close: () => {
      clearInterval(check);
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function forward(from: IncomingMessage, to: ServerResponse, [target, ...others]: string[]): void {
  if (target === undefined) {
    to.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end('No server is ready.\n');
    return;
  }
  const { hostname, port } = new URL(target);
  const call = request({ hostname, port, agent: false, method: from.method, path: from.url, headers: headersFor(from) });
  let connected = false;
  call.once('socket', (socket) =>
    socket.once('connect', () => {
      connected = true;
      from.pipe(call);
    }),
  );
  call.once('response', (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.once('error', () => to.destroy());
    answer.pipe(to);
  });
  call.once('error', () => {
    // Nothing of the request has been sent yet, so another server may get it.
    if (!connected) forward(from, to, others);
    else if (to.headersSent) to.destroy();
    else to.writeHead(502, { 'content-type': 'text/plain' }).end('The server went away.\n');
  });
  to.once('close', () => call.destroy());
}

function upgrade(from: IncomingMessage, socket: Socket, head: Buffer, [target, ...others]: string[], open: Set<Socket>): void {
  if (target === undefined) {
    socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
    return;
  }
  const { hostname, port } = new URL(target);
  const onward = connect(Number(port), hostname);
  const next = () => upgrade(from, socket, head, others, open);
  onward.once('error', next).once('connect', () => {
    onward.off('error', next);
    for (const [end, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(end);
      end
        .on('error', () => {})
        .once('close', () => {
          open.delete(end);
          other.destroy();
        });
    }
    const headers = Object.entries(headersFor(from)).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`));
    onward.write(`${from.method} ${from.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
}

/** The caller's headers, with the forwarding headers. */
function headersFor(from: IncomingMessage): IncomingMessage['headers'] {
  const before = from.headers['x-forwarded-for'];
  const address = from.socket.remoteAddress ?? '';
  return { ...from.headers, 'x-forwarded-for': before === undefined ? address : `${before}, ${address}`, 'x-forwarded-proto': 'http' };
}
