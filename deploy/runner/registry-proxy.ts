import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { guardedLookup, HostRefused } from '../../server/platform/egress/egress.ts';
import { readClientHello } from './client-hello.ts';
import { findRegistry, type RegistryHost } from './registry-hosts.ts';

/** Why a connection is refused. `plain`: it is not encrypted. `name`: it is encrypted for another host than it was opened for. */
export type ProxyRefusal = 'unlisted' | 'private' | 'plain' | 'name';

export type RegistryProxy = { close: () => Promise<void> };

type ProxyOptions = {
  /** The path of the socket on which it listens. */
  socket: string;
  hosts: readonly RegistryHost[];
  /** The operator's own proxy to the internet; null for none. */
  parent: URL | null;
  onRefused: (host: string, why: ProxyRefusal) => void;
  connect?: typeof net.connect;
};

type HostPort = { host: string; port: string };

const maxConnections = 256;
const lookup = guardedLookup({ allowPrivate: false });

/**
 * The only way out of the network of an install step: a proxy that opens tunnels (CONNECT) to listed hosts alone. It resolves names itself, and
 * refuses those of private networks. Each tunnel carries TLS for the host that it was opened for.
 */
export async function openRegistryProxy(options: ProxyOptions): Promise<RegistryProxy> {
  const server = http.createServer((request, response) => {
    options.onRefused(hostOf(request.url ?? '')?.host ?? '', 'plain');
    response.writeHead(403).end('Only encrypted connections to listed registries leave this network.\n');
  });
  server.maxConnections = maxConnections;
  const open = new Set<Duplex>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    new Tunnel(options, client).open(request.url ?? '', head);
  });
  // Its folder is closed to all but the job.
  server.listen({ path: options.socket, readableAll: true, writableAll: true });
  await once(server, 'listening');
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

class Tunnel {
  readonly #options: ProxyOptions;
  readonly #client: Duplex;
  /** What the client has sent of its first message. */
  #hello: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  constructor(options: ProxyOptions, client: Duplex) {
    this.#options = options;
    this.#client = client;
  }

  open(asked: string, head: Buffer): void {
    const target = hostOf(`https://${asked}`);
    const registry = target && findRegistry(target, this.#options.hosts);
    if (!target || !registry) {
      this.#refuse(target ? entryOf(target) : '', 'unlisted');
      return;
    }
    const { parent } = this.#options;
    if (parent !== null && registry.address === null) {
      this.#openThrough(parent, target, head);
      return;
    }
    const connect = this.#options.connect ?? net.connect;
    const upstream = connect({ host: registry.address ?? target.host, port: Number(target.port), lookup });
    upstream.on('error', (error) => {
      // After the answer to CONNECT the client reads TLS.
      if (this.#hasBegun) this.#client.destroy();
      else if (error instanceof HostRefused) this.#refuse(target.host, 'private');
      else this.#fail();
    });
    upstream.on('connect', () => this.#begin(head, target.host, upstream));
    this.#client.on('close', () => upstream.destroy());
  }

  /** The operator's proxy resolves names itself: only the list says what is reached. */
  #openThrough(parent: URL, { host, port }: HostPort, head: Buffer): void {
    const path = `${host}:${port}`;
    const login = decodeURIComponent(`${parent.username}:${parent.password}`);
    const request = http.request({
      host: parent.hostname,
      port: parent.port || 80,
      method: 'CONNECT',
      path,
      headers: { host: path, ...(login !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }) },
    });
    request.on('connect', ({ statusCode }, upstream: net.Socket) => {
      this.#client.on('close', () => upstream.destroy());
      upstream.on('error', () => upstream.destroy());
      if (statusCode === 200) this.#begin(head, host, upstream);
      else this.#fail();
    });
    request.on('response', () => this.#fail());
    request.on('error', () => this.#fail());
    this.#client.on('close', () => request.destroy());
    request.end();
  }

  #fail(): void {
    this.#client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  }

  #begin(head: Buffer, host: string, upstream: net.Socket): void {
    // What it has sent before reaches the client.
    upstream.on('close', (hasFailed: boolean) => (hasFailed ? this.#client.destroy() : this.#client.end()));
    this.#hasBegun = true;
    this.#client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    this.#readHello(head, host, upstream);
  }

  #readHello(first: Buffer, host: string, upstream: net.Socket): void {
    const read = (piece: Buffer) => {
      this.#hello = Buffer.concat([this.#hello, piece]);
      const hello = readClientHello(this.#hello);
      if (hello.kind === 'incomplete') return;
      this.#client.off('data', read);
      if (hello.kind === 'invalid' || hello.name !== host) {
        this.#options.onRefused(host, hello.kind === 'invalid' ? 'plain' : 'name');
        this.#client.destroy();
        return;
      }
      upstream.write(this.#hello);
      this.#client.pipe(upstream);
      upstream.pipe(this.#client);
    };
    this.#client.on('data', read);
    if (first.length > 0) read(first);
  }

  #refuse(host: string, why: ProxyRefusal): void {
    this.#options.onRefused(host, why);
    this.#client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  }
}

/** Returns a host as a list of registries names it. */
function entryOf({ host, port }: HostPort): string {
  return port === '443' ? host : `${host}:${port}`;
}

/** By the rules of addresses: in lower case, numbers as one form, and nothing that a log would not show as it is. */
function hostOf(address: string): HostPort | null {
  const url = URL.parse(address);
  if (url === null || url.hostname === '' || url.username !== '') return null;
  return { host: url.hostname, port: url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port };
}
