import { loadavg } from 'node:os';
import { enablePatches } from 'immer';
import { timeBrowserEdits } from './browser-edits.ts';
import type { Candidate, Sides } from './candidate.ts';
import { graph } from './graph.ts';
import { plainRecords } from './plain-records.ts';
import { product } from './product.ts';
import { timeRules } from './rules.ts';
import { shardedRecords } from './sharded-records.ts';
import { timeComparison } from './time-comparison.ts';
import { timeReplay } from './time-replay.ts';
import { timeWorkspace } from './time-workspace.ts';

/**
 * What one edit costs at 10,000 nodes and 13,000 links, from the command to the page's replica, for each way to keep the document. The
 * candidates take turns. A sample is the fastest of three like edits in a row: what else the machine did meanwhile is not the edit's. Then
 * what the engine computes from a whole canvas, and edits in a real browser. Last, how the workspace of a real server opens and takes what
 * streams into it. `--only` measures one part. Ends with one line of JSON.
 */
const nodes = numberAfter('--nodes', 10_000);
const links = numberAfter('--links', Math.round(nodes * 1.3));
const samples = numberAfter('--samples', 300);
const warmUp = 40;
const inARow = 3;

/** One edit may take this long, p95. */
const budgetMs = 8;

type Times = { engine: number; page: number; total: number };
type Spread = { p50: number; p95: number };

enablePatches();

/** `--only` names one part. */
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const parts = ['edits', 'rules', 'replay', 'comparison', 'browser', 'workspace'] as const;
if (only !== undefined && !parts.some((part) => part === only)) throw new Error(`--only needs one of: ${parts.join(', ')}`);
const measures = (part: (typeof parts)[number]) => only === undefined || only === part;

const document = graph(nodes, links);
const ids = Object.keys(document.nodes);
const candidates: Candidate[] = [plainRecords, shardedRecords, product];
const opened = candidates.map((candidate) => ({ name: candidate.name, sides: candidate.open(document), times: [] as Times[] }));

for (let sample = -warmUp; sample < samples && measures('edits'); sample += 1) {
  for (const { name, sides, times } of opened) {
    const row = Array.from({ length: inARow }, (_, turn) => edit(name, sides, (sample + warmUp) * inARow + turn));
    if (sample >= 0) times.push(row.reduce((best, one) => (one.total < best.total ? one : best)));
  }
}

const results = opened.map(({ name, times }) => ({
  name,
  engine: spread(times.map(({ engine }) => engine)),
  page: spread(times.map(({ page }) => page)),
  total: spread(times.map(({ total }) => total)),
}));
const rows = results.map(({ name, engine, page, total }) => [
  name,
  { engine: text(engine), page: text(page), 'command to replica': text(total), [`within ${budgetMs} ms`]: total.p95 <= budgetMs },
]);
if (measures('edits')) {
  console.log(`One edit at ${nodes} nodes and ${links} links, ms (p50 / p95), ${samples} samples, load ${loadavg()[0]?.toFixed(1)}`);
  console.table(Object.fromEntries(rows));
}

const browserEdits = measures('browser') ? await timeBrowserEdits(nodes, samples) : null;
const workspace = measures('workspace') ? await timeWorkspace() : null;
const works = [
  ...(measures('rules') ? timeRules(document, 60) : []),
  ...(measures('replay') ? timeReplay(samples) : []),
  ...(measures('comparison') ? timeComparison(60) : []),
  ...(browserEdits ? [{ name: 'one edit in a browser, command to replica', limitMs: budgetMs, times: browserEdits }] : []),
  ...(workspace ?? []),
].map(({ name, limitMs, times }) => ({ name, limitMs, ...spread(times) }));
console.log(`The engine at work, ms; a limit is for the p95; load ${loadavg()[0]?.toFixed(1)}`);
console.table(
  Object.fromEntries(works.map(({ name, limitMs, p50, p95 }) => [name, { p50, p95, 'at most': limitMs, met: p95 <= limitMs }])),
);
console.log(JSON.stringify({ bench: 'engine', nodes, links, samples, budgetMs, load: loadavg()[0], results, works }));

function edit(name: string, sides: Sides, number: number): Times {
  const id = ids[(number * 7_919) % ids.length] as string;
  const started = performance.now();
  const patches = sides.edit(id, number, -number);
  const made = performance.now();
  const received = structuredClone(patches);
  const sent = performance.now();
  sides.apply(received);
  const applied = performance.now();
  const { x, y } = sides.shown(id);
  if (x !== number || y !== -number) throw new Error(`${name}: the page does not show the edit`);
  return { engine: made - started, page: applied - sent, total: applied - started };
}

function spread(times: number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 1_000) / 1_000;
  return { p50: at(0.5), p95: at(0.95) };
}

function text({ p50, p95 }: Spread): string {
  return `${p50.toFixed(2)} / ${p95.toFixed(2)}`;
}

function numberAfter(flag: string, otherwise: number): number {
  const index = process.argv.indexOf(flag);
  const value = index < 0 ? otherwise : Number(process.argv[index + 1]);
  if (!Number.isInteger(value) || value <= 0) throw new Error(`${flag} needs a whole number above 0`);
  return value;
}
