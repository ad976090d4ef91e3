import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer, type ViteDevServer } from 'vite';
import { freePort } from '../server/platform/database/embedded/free-port.ts';
import { onStopSignal } from '../server/platform/processes/on-stop-signal.ts';
import { problemOfPath } from './checkout-path.ts';
import { builtHelp, helpRoot } from './client-build/help-site.ts';
import { serveClient } from './serve-client.ts';
import { stopWithNpm } from './stop-with-npm.ts';

/** `npm run dev`: Vite serves the client with hot reload and hands calls to a server that starts again when its code changes. */
stopWithNpm();
const root = join(import.meta.dirname, '..');
const problem = problemOfPath(root);
if (problem) {
  console.error(problem);
  process.exit(1);
}
const port = Number.parseInt(process.env.PORT ?? '5001', 10);
const host = process.env.HOST ?? '127.0.0.1';
const apiPort = await freePort();
let vite: Promise<ViteDevServer | null> | null = null;
let ending = false;

onStopSignal(() => void endAll(0));
// Whatever ends this process, the server does not outlive it.
process.once('exit', () => api.kill('SIGTERM'));

const api = startApi();
createInterface({ input: api.stdout }).on('line', (line) => {
  // The server's own address is hidden, since users open Vite's.
  if (!line.startsWith('Artel is ready at')) console.log(line);
  else if (vite === null) vite = startVite();
  else console.log('The server is ready again.');
});

function startApi() {
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')], {
    cwd: root,
    env: { ...process.env, PORT: String(apiPort), HOST: '127.0.0.1', ARTEL_CLIENT: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('exit', (code) => void endAll(code ?? 0));
  return child;
}

async function startVite(): Promise<ViteDevServer | null> {
  process.env.ARTEL_DEV_API = `http://127.0.0.1:${apiPort}`;
  const own = process.listeners('SIGTERM');
  try {
    // The help is there as soon as it is built; what is edited of it since, after the next start.
    void builtHelp().catch((error: Error) => console.error(error.message));
    const proxy = { '/help/': (await serveClient(helpRoot)).url };
    const server = await createServer({ root, clearScreen: false, logLevel: 'warn', server: { port, strictPort: true, host, proxy } });
    await server.listen();
    // Vite's own listener ends this process before the server has closed.
    for (const listener of process.listeners('SIGTERM')) if (!own.includes(listener)) process.off('SIGTERM', listener);
    console.log(`Artel is in development at http://localhost:${port} (client and server reload as you edit)`);
    return server;
  } catch (error) {
    console.error(`The client cannot be served: ${error instanceof Error ? error.message : String(error)}`);
    // The end waits for Vite, which is only known once this has returned.
    setImmediate(() => void endAll(1));
    return null;
  }
}

async function endAll(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.allSettled([vite?.then((server) => server?.close()), end(api)]);
  process.exit(code);
}

function end(child: ChildProcess): Promise<unknown> | null {
  if (child.exitCode !== null || child.signalCode !== null) return null;
  return new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'));
}
