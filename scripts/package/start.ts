import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { defaultPort } from '../../server/default-port.ts';
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
if (!process.argv.includes('--no-open')) openBrowser(`http://localhost:${port}`);

/** The runner itself says why it cannot start. The server goes on without it. */
function startRunner(): void {
  const runner = spawn(process.execPath, [join(root, 'deploy', 'runner', 'main.mjs')], { stdio: 'inherit' });
  runner.once('error', (error) => console.error(`The runner does not start: ${error.message}`));
  process.once('exit', () => runner.kill());
}
