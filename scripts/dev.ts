import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../server/platform/database/embedded/free-port.ts';

/** `npm run dev`: Vite serves the client with hot reload and hands `/api` to a server that starts again when its code changes. */
const root = join(import.meta.dirname, '..');
const port = process.env.PORT ?? '5001';
const host = process.env.HOST ?? '127.0.0.1';
const apiPort = await freePort();
const children: ChildProcess[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endAll(0));

const api = run(['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')], {
  PORT: String(apiPort),
  HOST: '127.0.0.1',
  ARTEL_CLIENT: 'off',
});
let vite: ChildProcess | null = null;
if (api.stdout) {
  createInterface({ input: api.stdout }).on('line', (line) => {
    // The server's own address is hidden, since users open Vite's.
    if (!line.startsWith('Artel is ready at')) console.log(line);
    else if (vite === null) vite = startVite();
    else console.log('The server is ready again.');
  });
}

function startVite(): ChildProcess {
  const options = ['--port', port, '--strictPort', '--host', host, '--clearScreen', 'false', '--logLevel', 'warn'];
  const child = run([join(root, 'node_modules', 'vite', 'bin', 'vite.js'), ...options], { ARTEL_DEV_API: `http://127.0.0.1:${apiPort}` });
  child.stdout?.pipe(process.stdout);
  console.log(`Artel is in development at http://localhost:${port} (client and server reload as you edit)`);
  return child;
}

/** When one of the two processes ends, the other is ended too. */
function run(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  child.once('exit', (code) => void endAll(code ?? 0));
  children.push(child);
  return child;
}

let ending = false;
async function endAll(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  const alive = children.filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(alive.map((child) => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'))));
  process.exit(code);
}
