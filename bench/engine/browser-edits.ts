import { join } from 'node:path';
import { chromium } from 'playwright';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts';
import { serveClient } from '../../scripts/serve-client.ts';

const viewport = { width: 1_600, height: 900 };
const warmUp = 20;

/**
 * Returns the milliseconds from a command on the page to its patch applied there, through the engine's worker. It uses a real browser with
 * the whole workspace open on a graph of this many nodes. The page draws a frame between one edit and the next. Null without a browser.
 */
export async function timeBrowserEdits(nodes: number, samples: number): Promise<number[] | null> {
  const executablePath = findBrowser();
  if (executablePath === null || !(await buildClientWhenStale())) return null;
  const client = await serveClient(join(import.meta.dirname, '../../dist'));
  const browser = await chromium.launch({ executablePath, args: browserArguments });
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(`${client.url}/bench?n=${nodes}`);
    await page.waitForFunction(() => window.__bench !== undefined);
    return await page.evaluate(
      async ({ nodes, edits, warmUp }) => {
        const bench = window.__bench;
        if (!bench) throw new Error('The page offers no bench');
        await bench.ready;
        const times: number[] = [];
        for (let i = 0; i < edits; i += 1) {
          // Waits for the frame of the previous edit and for the engine's work after it: neither belongs to this edit.
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
          const took = await bench.move((i * 7_919) % nodes, { x: i * 10, y: -i * 10 });
          if (i >= warmUp) times.push(took);
        }
        return times;
      },
      { nodes, edits: samples + warmUp, warmUp },
    );
  } finally {
    await browser.close();
    await client.close();
  }
}
