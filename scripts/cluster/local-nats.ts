import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { freePort } from '../../server/platform/database/embedded/free-port.ts';

export type LocalNats = {
  /** For `NATS_URL`. */
  url: string;
  /** Ends it by a signal and resolves when it is gone. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Starts it again at the same address. */
  start: () => Promise<void>;
};

/** The message for a machine without `nats-server`, in one line. */
export const natsMissing = 'This needs nats-server: install it (Debian: apt-get install nats-server; macOS: brew install nats-server).';

/** Returns the program `nats-server` of this machine; null if there is none. */
export function findNats(): string | null {
  for (const name of ['nats-server', '/usr/sbin/nats-server']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // Not here.
    }
  }
  return null;
}

/** Starts a NATS server on a free loopback port and waits until it accepts connections. Throws `natsMissing` without the program. */
export async function startLocalNats({ apart = false }: { apart?: boolean } = {}): Promise<LocalNats> {
  const program = findNats();
  if (program === null) throw new Error(natsMissing);
  const port = await freePort();
  const run = () => runNats(program, port, apart);
  let child = await run();
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await new Promise((resolve) => child.once('exit', resolve) && child.kill(signal));
    },
    start: async () => {
      child = await run();
    },
  };
}

async function runNats(program: string, port: number, apart: boolean): Promise<ChildProcess> {
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'], detached: apart });
  let output = '';
  child.stderr.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => reject(new Error(`nats-server ended with ${code}. It printed:\n${output}`)));
    child.stderr.on('data', (text: string) => {
      output = (output + text).slice(-10_000);
      if (text.includes('Server is ready')) resolve();
    });
  });
  return child;
}
