import { ensureBrowser } from '../../scripts/ensure-browser.ts';
import { findBrowser } from '../../scripts/find-browser.ts';
import { serveClient } from '../../scripts/serve-client.ts';
import { machine } from '../machine.ts';
import { shuffled } from '../statistics.ts';
import { type Cell, measureCell } from './measure-cell.ts';
import { readOptions, type SystemName } from './options.ts';
import { prepareClient, preparePeers } from './prepare.ts';
import { formatTable, summarise } from './report.ts';
import { formatVerdict, verdictOf } from './verdict.ts';

/**
 * `npm run bench:canvas`: measures what pan, zoom, drag and the rest cost the page's main thread. An empty canvas, React Flow and LiteGraph
 * are measured in the same run, each cell in a fresh browser and in shuffled order. Ends with a table and one line of JSON; the exit status
 * says whether every gesture had its effect.
 */
const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') fail(options);
if (process.platform !== 'linux') fail('The canvas benchmark reads processor times from /proc and runs on Linux only.');
const missing = await ensureBrowser();
const executablePath = findBrowser();
if (missing !== null || executablePath === null) fail(missing ?? 'No browser found.');

const peers = options.systems.some((name) => name !== 'artel') ? await serveClient(await preparePeers()) : null;
const client = options.systems.includes('artel') && options.url === null ? await serveClient(await prepareClient()) : null;
const urlOf = (name: SystemName): string => (name === 'artel' ? (options.url ?? `${client?.url}/bench`) : `${peers?.url}/${name}.html`);

const cells: Cell[] = [];
const broken: string[] = [];
for (let repeat = 0; repeat < options.repeats; repeat++) {
  for (const n of options.sizes) {
    for (const system of shuffled(options.systems, repeat * 31 + n)) {
      const from = performance.now();
      try {
        const cell = await measureCell(system, n, {
          url: urlOf(system),
          executablePath,
          capSeconds: options.capSeconds,
          pictures: options.pictures,
        });
        cells.push(cell);
        if (cell.errors.length > 0) broken.push(`${system} at ${n}: ${cell.errors[0]}`);
        console.log(`${system} at ${n} nodes, repeat ${repeat + 1}: ${((performance.now() - from) / 1_000).toFixed(0)} s`);
      } catch (error) {
        broken.push(`${system} at ${n}: ${(error as Error).message.split('\n')[0]}`);
        console.log(broken.at(-1));
      }
    }
  }
}
await Promise.all([peers?.close(), client?.close()]);
if ((client?.apiCalls.length ?? 0) > 0) broken.push(`the page called the server: ${client?.apiCalls[0]}`);

const rows = summarise(cells).toSorted((a, b) => a.n - b.n || options.systems.indexOf(a.system) - options.systems.indexOf(b.system));
const withoutEffect = rows.flatMap(({ system, n, withoutEffect }) =>
  withoutEffect.map((name) => `${system} at ${n}: ${name} had no effect`),
);
console.log(
  `\nMain-thread ms a step, medians of ${options.repeats} (idle: ms a second; paint: wall ms; * without effect)\n\n${formatTable(rows)}\n`,
);
const verdict = verdictOf(rows);
console.log(`${formatVerdict(verdict)}\n`);
for (const problem of [...broken, ...withoutEffect]) console.log(problem);
process.exitCode = broken.length + withoutEffect.length === 0 ? 0 : 1;
console.log(
  JSON.stringify({
    bench: 'canvas',
    at: new Date().toISOString(),
    machine: machine(),
    repeats: options.repeats,
    rows,
    verdict,
    problems: [...broken, ...withoutEffect],
  }),
);

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}
