import { createServer } from 'node:net';

/** How many ports are tried. */
const maxTries = 20;
/** Its own programs have these: the runner. */
const kept = [5_002];

/** Returns `first`, or the next port after it that nothing listens on. Returns `first` when all are taken: the server says so. */
export async function findFreePort(first: number, host = '127.0.0.1'): Promise<number> {
  for (let port = first; port < first + maxTries; port++) {
    if (!kept.includes(port) && (await isFree(port, host))) return port;
  }
  return first;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
