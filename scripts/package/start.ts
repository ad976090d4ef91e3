import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { defaultPort, ownAddress } from '../../server/own-address.ts';
import { stopWithNpm } from '../stop-with-npm.ts';
import { findFreePort } from './find-free-port.ts';
import { openBrowser } from './open-browser.ts';

/** `artel`: the server of the package in this process, the runner beside it with `--runner`, and on a desktop a browser with the page. */
const root = join(import.meta.dirname, '..', '..');
stopWithNpm();
const port = process.env.PORT || String(await findFreePort(defaultPort, process.env.HOST));
if (!process.env.PORT && port !== String(defaultPort)) console.log(`Port ${defaultPort} is taken, so Artel takes ${port}.`);
process.env.PORT = port;
if (process.argv.includes('--runner')) startRunner();
// Loaded when the server is ready.
await import(new URL('../../dist-server/main.js', import.meta.url).href);
const { HOST, PUBLIC_URL } = process.env;
if (!process.argv.includes('--no-open') && port !== '0') openBrowser(PUBLIC_URL || ownAddress(HOST || '127.0.0.1', Number(port)));

/** The runner itself says why it cannot start. The server goes on without it. */
function startRunner(): void {
  // By the channel it notices that this process has ended, however that was.
  const runner = spawn(process.execPath, [join(root, 'deploy', 'runner', 'main.mjs')], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  runner.once('error', (error) => console.error(`The runner does not start: ${error.message}`));
}
