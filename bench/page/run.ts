import { loadavg } from 'node:os';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { ensureBrowser } from '../../scripts/ensure-browser.ts';
import { findBrowser } from '../../scripts/find-browser.ts';
import { freePort } from '../../server/platform/database/embedded/free-port.ts';
import { startServer } from '../../tests/support/start-server.ts';
import type { Figure } from '../figure.ts';
import { reportFigures, seconds } from '../figure-report.ts';
import { installOwnPackages } from '../own-packages.ts';
import { measurePart } from './measure-part.ts';
import { readOptions } from './options.ts';

/**
 * `npm run bench:page`: measures three parts on the whole server with an empty database. They are the landing page in both languages with
 * Lighthouse's mobile profile, the opening of the public demo, and the script of the landing page's timeline. Ends with a table and one
 * line of JSON; the exit status says whether everything could be measured. `-- --only landing,demo,timeline`, `--repeats n`, `--reports
 * folder`.
 */
const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') fail(options);
const missing = await ensureBrowser();
const executablePath = findBrowser();
if (missing !== null || executablePath === null) fail(missing ?? 'No browser found.');
if (!(await buildClientWhenStale())) fail('The client could not be built.');
if (options.parts.includes('landing') || options.parts.includes('demo')) installOwnPackages(import.meta.dirname);

const begun = performance.now();
const loadBefore = loadavg()[0] ?? 0;
// Pages name their own address only where the operator has set it, as one would.
const port = await freePort();
const server = await startServer({ port, env: { LOG_LEVEL: 'warn', PUBLIC_URL: `http://127.0.0.1:${port}` } });
const repeats: Figure[][] = [];
const problems: string[] = [];
for (let repeat = 1; repeat <= options.repeats; repeat += 1) {
  for (const part of options.parts) {
    const from = performance.now();
    try {
      repeats.push(await measurePart(part, repeat, { url: server.url, executablePath, reports: options.reports }));
      console.log(`${part}, repeat ${repeat}: ${seconds(from)} s`);
    } catch (error) {
      problems.push(`${part}, repeat ${repeat}: ${(error as Error).message.split('\n')[0]}`);
      console.log(problems.at(-1));
    }
  }
}
await server.stop();

reportFigures({ about: { bench: 'page', repeats: options.repeats }, repeats, problems, begun, load: loadBefore });

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
