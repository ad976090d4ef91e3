import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { browserArguments } from '../../scripts/find-browser.ts';
import { frameScripts } from '../page/frame-scripts.ts';
import { rounded } from '../statistics.ts';
import { traceWhile } from '../trace.ts';
import type { BenchWindow } from './adapter.ts';
import { BenchPage, viewHeight, viewWidth } from './bench-page.ts';
import { generateGraph, nearestToHub } from './graph.ts';
import type { SystemName } from './options.ts';
import { findRenderer, mainThreadMs } from './processor-time.ts';
import { type Result, type ScenarioName, scenarios } from './scenarios.ts';
import { workerHeapMb } from './worker-heap.ts';

export type Cell = {
  system: SystemName;
  n: number;
  /** From the data at hand to its picture on the screen, wall ms. */
  firstPaintMs: number;
  /** JavaScript heap after a collection, MB. */
  heapMb: number;
  /** The same of the page's workers; null without any. */
  workerHeapMb: number | null;
  /** The main-thread time of a second without any gesture (ms). */
  idleMs: number;
  /** Main-thread ms of a second in which one card in view moves; null for a system without such cards. */
  pulseMs: number | null;
  /** A run with 1,000 cards at work and ten changes a second; null for a system without runs. */
  crowd: Crowd | null;
  /** All cards in 300 groups, folded and opened again; null for a system without folding. */
  folds: Folds | null;
  scenarios: Partial<Record<ScenarioName, Result>>;
  /** Errors of the page. */
  errors: string[];
};

/** Longer than any system needs to load a graph. */
const pageLimitMs = 120_000;

/** Measures one system with n nodes in a browser of its own. Throws when the page does not come up. */
export async function measureCell(
  system: SystemName,
  n: number,
  { url, executablePath, capSeconds, pictures }: { url: string; executablePath: string; capSeconds: number; pictures: string | null },
): Promise<Cell> {
  const browser = await chromium.launch({ executablePath, args: [...browserArguments, '--ignore-gpu-blocklist', '--disable-extensions'] });
  try {
    const page = await browser.newPage({ viewport: { width: viewWidth, height: viewHeight }, deviceScaleFactor: 1 });
    page.setDefaultTimeout(pageLimitMs);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error).slice(0, 300)));
    const session = await page.context().newCDPSession(page);
    await page.goto(`${url}${url.includes('?') ? '&' : '?'}n=${n}`);
    await page.waitForFunction(() => '__bench' in window);
    const graph = generateGraph(n);
    const firstPaintMs = await page.evaluate(async (given) => {
      const { __bench } = window as unknown as BenchWindow;
      await __bench.ready;
      const from = performance.now();
      await __bench.setGraph(given);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0))));
      return performance.now() - from;
    }, graph);
    const traits = await page.evaluate(() => {
      const { panButton, wheelDelta, grab, select, work, workMany, fold } = (window as unknown as BenchWindow).__bench;
      return {
        panButton,
        wheelDelta,
        grab,
        canSelect: select !== undefined,
        canWork: work !== undefined,
        canWorkMany: workMany !== undefined,
        canFold: fold !== undefined,
      };
    });

    const renderer = await findRenderer(browser, page, session);
    await page.requestGC();
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const idleMs = await aSecondsWork(page, renderer);
    const workerHeap = await workerHeapMb(session);

    const bench = new BenchPage(page, session, { graph, traits, renderer, capSeconds });
    const cell: Cell = {
      system,
      n,
      firstPaintMs: rounded(firstPaintMs),
      heapMb: rounded(usedSize / 1_048_576),
      workerHeapMb: workerHeap === null ? null : rounded(workerHeap),
      idleMs: rounded(idleMs),
      pulseMs: null,
      crowd: null,
      folds: null,
      scenarios: {},
      errors,
    };
    for (const name of Object.keys(scenarios) as ScenarioName[]) {
      const result = await scenarios[name](bench);
      if (result !== null) cell.scenarios[name] = result;
      if (pictures !== null) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${system}-${n}-${name}.png`) });
      }
    }
    if (traits.canWork) cell.pulseMs = rounded(await pulse(page, bench, renderer));
    if (traits.canWorkMany) cell.crowd = await crowd(browser, page, bench);
    // Last: the graphs that it leaves behind would be collected in what is measured after it.
    if (traits.canFold) cell.folds = await folds(page, bench, renderer);
    return cell;
  } finally {
    await browser.close();
  }
}

const settlingSeconds = 2;
const measuredSeconds = 3;

/** Main-thread ms until all groups are seen folded, and until all cards are seen again. */
export type Folds = { foldMs: number; openMs: number; did: boolean };

const foldedGroups = 300;

/** Folds the whole graph while all of it is in view, for the second time, and opens it. Then the graph is as it was. */
async function folds(page: Page, bench: BenchPage, renderer: number): Promise<Folds> {
  const { graph } = bench;
  const scale = Math.min(0.1, (0.9 * viewWidth) / graph.width, (0.9 * viewHeight) / graph.height);
  await bench.lookAt({ x: graph.width / 2, y: graph.height / 2 }, scale);
  await page.evaluate((groups) => (window as unknown as BenchWindow).__bench.group?.(groups), foldedGroups);
  const fold = async (isFolded: boolean) => {
    await page.evaluate(aSecond);
    const before = mainThreadMs(renderer);
    const shown = await page.evaluate((folded) => (window as unknown as BenchWindow).__bench.fold?.(folded), isFolded);
    return { ms: rounded(mainThreadMs(renderer) - before), shown };
  };
  await fold(true);
  await fold(false);
  const folded = await fold(true);
  const opened = await fold(false);
  await page.evaluate((given) => (window as unknown as BenchWindow).__bench.setGraph(given), graph);
  return { foldMs: folded.ms, openMs: opened.ms, did: folded.shown === foldedGroups && opened.shown === graph.n + foldedGroups };
}

/** Main-thread ms of a second in which the hub's card, in the middle of the view, moves as in a run. */
async function pulse(page: Page, bench: BenchPage, renderer: number): Promise<number> {
  await bench.lookAt(await bench.hubCentre(), 1);
  await page.evaluate((hub) => (window as unknown as BenchWindow).__bench.work?.(hub), bench.graph.hub);
  return aSecondsWork(page, renderer);
}

/** The page's script with many cards at work, ms of a processor: in a second, and in the longest frame. */
export type Crowd = { scriptMs: number; longestFrameMs: number; changes: number };

const crowdSize = 1_000;
const categories = [
  ...['devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame'],
  'disabled-by-default-v8.gc',
];

/** Measures a run in which the 1,000 cards nearest to the hub work at once, with the hub in the middle of the view. */
async function crowd(browser: Browser, page: Page, bench: BenchPage): Promise<Crowd> {
  await bench.lookAt(await bench.hubCentre(), 1);
  const chosen = nearestToHub(bench.graph, Math.min(crowdSize, bench.graph.n / 2));
  await page.evaluate(async (indices) => {
    const { __bench } = window as unknown as BenchWindow;
    Object.assign(window, { __ended: await __bench.workMany?.(indices) });
  }, chosen);
  const ended = () => page.evaluate(() => (window as unknown as { __ended: () => number }).__ended());
  for (let second = 0; second < settlingSeconds; second++) await page.evaluate(aSecond);
  const before = await ended();
  const events = await traceWhile(browser, page, categories, async () => {
    for (let second = 0; second < measuredSeconds; second++) await page.evaluate(aSecond);
  });
  const frames = frameScripts(events);
  const changes = (await ended()) - before;
  const sum = frames.reduce((all, ms) => all + ms, 0);
  return { scriptMs: rounded(sum / measuredSeconds), longestFrameMs: rounded(Math.max(0, ...frames)), changes };
}

/** Main-thread ms of a second, after the work of the last change (panels, idle tasks) is done. */
async function aSecondsWork(page: Page, renderer: number): Promise<number> {
  for (let second = 0; second < settlingSeconds; second++) await page.evaluate(aSecond);
  const before = mainThreadMs(renderer);
  for (let second = 0; second < measuredSeconds; second++) await page.evaluate(aSecond);
  return (mainThreadMs(renderer) - before) / measuredSeconds;
}

/** Runs in the page: lets a second go by. */
function aSecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000));
}
