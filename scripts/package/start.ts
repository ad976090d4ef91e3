import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { defaultPort, readyChannel } from '../../server/own-address.ts';
import { stopWithNpm } from '../stop-with-npm.ts';
import { openBrowser } from './open-browser.ts';

/** `artel`: the server of the package in this process, the runner beside it with `--runner`, and on a desktop a browser with the page. */
const root = join(import.meta.dirname, '..', '..');
stopWithNpm();
process.env.PORT ||= `${defaultPort}+`;
if (process.argv.includes('--runner')) startRunner();
if (!process.argv.includes('--no-open')) subscribe(readyChannel, (address) => openBrowser(process.env.PUBLIC_URL || String(address)));
await import(new URL('../../dist-server/main.js', import.meta.url).href);

/** The runner itself says why it cannot start. The server goes on without it. */
function startRunner(): void {
  // By the channel it notices that this process has ended, however that was.
  const runner = spawn(process.execPath, [join(root, 'deploy', 'runner', 'main.mjs')], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  runner.once('error', (error) => console.error(`The runner does not start: ${error.message}`));
}
