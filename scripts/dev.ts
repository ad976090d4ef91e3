import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';

/** `npm run dev`: Vite serves the client with hot reload and hands `/api` to a server that starts again when its code changes. */
const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT ?? 5001);
const host = process.env.HOST ?? '127.0.0.1';
const apiPort = await freePort();
process.env.ARTEL_DEV_API = `http://127.0.0.1:${apiPort}`;

const api = startApi();
const vite = await createServer({ root, server: { port, host, strictPort: true }, clearScreen: false });
await vite.listen();
console.log(`Artel is in development at http://localhost:${port} (client and server reload as you edit)`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    api.kill('SIGTERM');
    void vite.close();
    api.once('exit', () => process.exit(0));
  });
}

function startApi(): ChildProcess {
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(root, 'server', 'main.ts')], {
    cwd: root,
    env: { ...process.env, PORT: String(apiPort), HOST: '127.0.0.1', ARTEL_CLIENT: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The server's own address is behind Vite's: only one is worth opening.
  createInterface({ input: child.stdout }).on('line', (line) => {
    console.log(line.startsWith('Artel is ready at') ? 'The server is ready.' : line);
  });
  child.once('exit', (code) => {
    if (code) process.exit(code);
  });
  return child;
}

async function freePort(): Promise<number> {
  const probe = createSocket().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (typeof address !== 'object' || !address) throw new Error('The system gave no port.');
  return address.port;
}
