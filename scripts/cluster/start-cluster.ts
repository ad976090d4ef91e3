import { join } from 'node:path';
import { readOrMakeSecret } from '../../server/platform/secrets/secret-key.ts';
import { type LocalNats, startLocalNats } from './local-nats.ts';
import { type LocalPostgres, startLocalPostgres } from './local-postgres.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

type ClusterOptions = {
  /** The folder for the database, the secret and a data folder of each node. */
  folder: string;
  /** Three unless set. */
  nodes?: number;
  /** The proxy's; 0 (the default) lets the system choose. */
  port?: number;
  /** Settings of every node, on top of a bare environment. */
  env?: Record<string, string>;
  /** The file that Node runs for each node. By default the server's source. */
  program?: string;
  /** True passes an interrupt at the terminal only to this process, which then ends the others in order. */
  apart?: boolean;
  /** Called with messages for the operator. */
  note?: (line: string) => void;
};

export type ClusterNode = {
  name: string;
  /** The node's own address, past the proxy. The same after it was started again. */
  url: string;
  /** The output since the last start. */
  logs: () => string;
  running: () => boolean;
  /** Sends a signal that does not end the process: SIGSTOP, SIGCONT, or one that it handles. */
  signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2') => void;
  /** Sends a signal and resolves with the exit code, null when the signal ended it, once the process is gone. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Starts it again, on the same port and data folder. */
  start: () => Promise<void>;
};

export type Cluster = {
  /** The proxy's address, used for all nodes. */
  url: string;
  postgres: LocalPostgres;
  nats: LocalNats;
  nodes: ClusterNode[];
  /** Ends all of it in order, nodes first; the folder stays. */
  stop: () => Promise<void>;
};

/**
 * Several nodes on one machine with what they share: PostgreSQL, NATS and a proxy that sends calls to them in turn. Resolves when
 * every node is ready. Throws when something does not start; what had started is ended then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, nodes: count = 3, port = 0, apart = false, note = () => {}, program } = options;
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const nats = await startLocalNats({ apart });
    closers.push(nats.stop);
    const postgres = await startLocalPostgres(folder, note);
    closers.push(postgres.stop);
    const nodes: ClusterNode[] = [];
    const proxy = await startRoundRobin({ port, targets: () => nodes.map(({ url }) => url) });
    const shared = await settingsOf(folder, { postgres, nats, proxy });
    const start = (name: string, own: number) =>
      startServerProcess({
        apart,
        ...(program && { program }),
        env: { ...shared, PORT: String(own), DATA_DIR: join(folder, name), ...options.env },
        onOutput: (text) => note(text.trimEnd().replace(/^/gm, `${name}: `)),
      });
    closers.push(proxy.close, () => Promise.all(nodes.filter((node) => node.running()).map((node) => node.kill('SIGTERM'))));
    const starting = Array.from({ length: count }, async (_, index) => {
      const name = `node-${index + 1}`;
      nodes.push(nodeOf(name, await start(name, 0), start));
    });
    for (const outcome of await Promise.allSettled(starting)) if (outcome.status === 'rejected') throw outcome.reason;
    nodes.sort((one, other) => one.name.localeCompare(other.name));
    return { url: proxy.url, postgres, nats, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settingsOf(folder: string, { postgres, nats, proxy }: { postgres: LocalPostgres; nats: LocalNats; proxy: RoundRobin }) {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    ARTEL_SECRET_KEY: await readOrMakeSecret(folder),
    PUBLIC_URL: `http://localhost:${proxy.port}`,
    TRUST_PROXY: '127.0.0.1',
  };
}

function nodeOf(name: string, first: ServerProcess, start: (name: string, port: number) => Promise<ServerProcess>): ClusterNode {
  let server = first;
  return {
    name,
    url: first.url,
    logs: () => server.logs(),
    running: () => server.running(),
    signal: (signal) => process.kill(server.pid, signal),
    kill: (signal) => server.kill(signal),
    start: async () => {
      server = await start(name, Number(new URL(first.url).port));
    },
  };
}
