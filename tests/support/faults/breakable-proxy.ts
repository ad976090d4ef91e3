import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { leavePort, takePort } from '../server/kept-ports.ts';

/**
 * A proxy between a browser and a server. A test can cut its WebSockets, or its WebSockets and all calls of the API. It forwards
 * all else unchanged. Its address is known before the server's, so that the server can trust it as an origin.
 */
export class BreakableProxy {
  /** The number of WebSocket handshakes that were refused while the proxy was cut. */
  socketsRefused = 0;
  readonly url: string;
  #socketsCut = false;
  #callsCut = false;
  readonly #target: () => string;
  readonly #close: () => Promise<void>;
  readonly #open = new Set<Socket>();

  /** Opens a proxy on a free port. Each call reads the server's address from `target`. */
  static async open(target: () => string): Promise<BreakableProxy> {
    const server = createServer();
    const asked = await takePort();
    await new Promise<void>((resolve) => server.listen(asked, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new BreakableProxy(`http://127.0.0.1:${port}`, target, async () => {
      proxy.#drop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      leavePort(port);
    });
    server.on('request', (from, to) => proxy.#forward(from, to));
    server.on('upgrade', (from, socket, head) => proxy.#upgrade(from, socket as Socket, head));
    return proxy;
  }

  private constructor(url: string, target: () => string, close: () => Promise<void>) {
    this.url = url;
    this.#target = target;
    this.#close = close;
  }

  /** Ends every WebSocket and lets no new one through. */
  cutSockets(): void {
    this.#socketsCut = true;
    this.#drop();
  }

  /** Ends every WebSocket, and drops every call of the API without an answer. */
  cutAll(): void {
    this.#callsCut = true;
    this.cutSockets();
  }

  mend(): void {
    this.#callsCut = false;
    this.#socketsCut = false;
  }

  close(): Promise<void> {
    return this.#close();
  }

  #forward(from: IncomingMessage, to: ServerResponse): void {
    if (this.#callsCut && from.url?.startsWith('/api')) {
      from.socket.destroy();
      return;
    }
    const { hostname, port } = new URL(this.#target());
    const agent = new Agent({ keepAlive: false });
    const call = request({ agent, hostname, port, method: from.method, path: from.url, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    call.once('error', () => to.destroy());
    from.pipe(call);
  }

  #upgrade(from: IncomingMessage, socket: Socket, head: Buffer): void {
    if (this.#socketsCut) {
      this.socketsRefused++;
      socket.destroy();
      return;
    }
    const { hostname, port } = new URL(this.#target());
    const onward = connect(Number(port), hostname, () => {
      const headers = Object.entries(from.headers).map(([name, value]) => `${name}: ${value}`);
      onward.write(`${from.method} ${from.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) {
      this.#open.add(end);
      end.once('error', () => end.destroy()).once('close', () => this.#open.delete(end));
    }
  }

  #drop(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
