import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Socket } from 'node:net';

type DatabaseLink = {
  /** The database's address through the link. */
  url: string;
  /** Ends every connection and accepts none. */
  cut: () => Promise<void>;
  /** Keeps every connection open and transfers nothing any more, for new connections too. */
  freeze: () => void;
  /** The same for the present connections only: new ones work. */
  hang: () => void;
  /** Cuts the link as soon as this many more bytes have come from the database. */
  cutAfter: (bytes: number) => void;
  mend: () => Promise<void>;
  close: () => Promise<void>;
};

/** A loopback TCP link to a PostgreSQL on a Unix socket or a TCP port. A test can cut and mend it. */
export async function linkToDatabase(connectionString: string): Promise<DatabaseLink> {
  const target = new URL(connectionString);
  const folder = target.searchParams.get('host');
  const place = folder
    ? { path: `${folder}/.s.PGSQL.${target.searchParams.get('port')}` }
    : { host: target.hostname, port: Number(target.port) };
  const open = new Set<Socket>();
  let frozen = false;
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((incoming) => {
    const outgoing = createConnection(place);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
      if (frozen) one.unpipe(other).pause();
    }
    outgoing.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left < 0 && server.listening) void cut();
    });
  });
  let port = 0;
  const listen = () => new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()));
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
  const hang = () => {
    for (const socket of open) socket.unpipe().pause();
  };
  await listen();
  port = (server.address() as AddressInfo).port;
  return {
    url: `postgres://${target.username}:${target.password}@127.0.0.1:${port}${target.pathname}`,
    cut,
    freeze: () => {
      frozen = true;
      hang();
    },
    hang,
    cutAfter: (bytes) => {
      left = bytes;
    },
    mend: listen,
    close: async () => {
      if (server.listening) await cut();
    },
  };
}
