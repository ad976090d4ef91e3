import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { ensureBrowser } from '../../scripts/ensure-browser.ts';
import { findTestBrowser, pageBrowserArguments } from '../../scripts/find-browser.ts';
import { startServer } from '../../tests/support/start-server.ts';
import { DrawingPage } from './drawing-page.ts';
import { Hand } from './hand.ts';
import { type Job, jobs, type Way, ways } from './jobs.ts';

/**
 * `npm run bench:drawing`: draws five jobs with a real mouse and keyboard in a browser, each on a new account's canvas with a dialog and a
 * developer, and counts presses, keys and seconds. `-- --url http://…` draws in a product that runs already, also of an earlier version.
 * `--ways sidebar,port,pattern` and `--only review` choose; `--record folder` keeps a trace with pictures of each. Ends with a table and one
 * line of JSON; the exit status says whether each job could be drawn.
 */
const { values } = parseArgs({
  options: { url: { type: 'string' }, ways: { type: 'string' }, only: { type: 'string' }, record: { type: 'string' } },
});

/** The longest that the page takes to show what is used next (ms). */
const patienceMs = 20_000;

type Drawn = { job: string; way: Way; presses: number; keys: number; seconds: number; problem?: string };

const missing = await ensureBrowser();
const executablePath = findTestBrowser();
if (missing !== null || executablePath === null) {
  console.error(missing ?? 'No browser found.');
  process.exit(2);
}
if (values.url === undefined && !(await buildClientWhenStale())) process.exit(2);
const server = values.url === undefined ? await startServer({ env: { LOG_LEVEL: 'warn' } }) : null;
const url = values.url ?? server?.url ?? '';
const browser = await chromium.launch({ executablePath, args: pageBrowserArguments });
const drawn: Drawn[] = [];
for (const job of jobs.filter(({ name }) => name.includes(values.only ?? '')))
  for (const way of ways.filter((one) => values.ways?.split(',').includes(one) ?? true)) {
    drawn.push(await drawJob(browser, job, way));
    console.log(lineOf(drawn.at(-1) as Drawn));
  }
await browser.close();
await server?.stop();
console.log(`\n${['job'.padEnd(26), 'way'.padEnd(8), 'presses', '   keys', 'seconds'].join(' ')}\n${drawn.map(lineOf).join('\n')}\n`);
console.log(JSON.stringify({ bench: 'drawing', at: new Date().toISOString(), drawn }));
process.exitCode = drawn.some(({ problem }) => problem !== undefined) ? 1 : 0;

async function drawJob(inside: Browser, { name, draw, isDone, runsTogether }: Job, way: Way): Promise<Drawn> {
  const context = await inside.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', deviceScaleFactor: 0.5 });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const hand = new Hand(page);
  const canvas = new DrawingPage(page, url);
  let problem: string | undefined;
  try {
    await canvas.open();
    if (values.record) await context.tracing.start({ screenshots: true, snapshots: true });
    await draw[way](canvas, hand);
    const saved = await canvas.saved(isDone);
    if (!saved.isDone) problem = 'The canvas has not what the job asks for.';
    if (runsTogether && (await canvas.parallelSteps()) === 1) problem = 'Its branches run one after another.';
  } catch (error) {
    problem = (error as Error).message.split('\n')[0] ?? '';
  }
  if (values.record) {
    mkdirSync(values.record, { recursive: true });
    const file = join(values.record, `${name.replaceAll(' ', '-')}-${way}`);
    await page.screenshot({ path: `${file}.png` });
    await context.tracing.stop({ path: `${file}.zip` }).catch(() => undefined);
  }
  await context.close();
  const { presses, keys, ms } = hand;
  return { job: name, way, presses, keys, seconds: Math.round(ms / 100) / 10, ...(problem !== undefined && { problem }) };
}

function lineOf({ job, way, presses, keys, seconds, problem = '' }: Drawn): string {
  const cells = [job.padEnd(26), way.padEnd(8), String(presses).padStart(7), String(keys).padStart(7), seconds.toFixed(1).padStart(7)];
  return `${cells.join(' ')} ${problem}`.trimEnd();
}
