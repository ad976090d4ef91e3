import { type Browser, chromium } from 'playwright';
import { pageBrowserArguments } from '../../scripts/find-browser.ts';
import type { Figure } from '../figure.ts';
import { auditPage } from './audit-page.ts';
import { demoFiguresOf, figuresOf } from './lighthouse-figures.ts';
import type { PartName } from './options.ts';
import { timeAskedDemo, timeDemo } from './time-demo.ts';
import { traceTimeline } from './trace-timeline.ts';

export type Place = {
  /** The server, without a slash at the end. */
  url: string;
  executablePath: string;
  /** Folder for Lighthouse's reports, or null. */
  reports: string | null;
};

/** Measures one part once; `repeat` tells its reports from those before. Throws when something did not work at all. */
export async function measurePart(part: PartName, repeat: number, place: Place): Promise<Figure[]> {
  switch (part) {
    case 'landing':
      return audits('landing', '/', repeat, place, figuresOf);
    case 'demo':
      return [
        ...(await inBrowser(place, (browser) => timeDemo(browser, place.url))),
        ...(await inBrowser(place, (browser) => timeAskedDemo(browser, place.url))),
        ...(await audits('demo', '/public-test', repeat, place, demoFiguresOf)),
      ];
    case 'timeline':
      return inBrowser(place, (browser) => traceTimeline(browser, place.url));
  }
}

/** Lighthouse's figures of a page in each language. */
async function audits(
  page: PartName,
  path: string,
  repeat: number,
  place: Place,
  figuresIn: (report: unknown) => Figure[],
): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const language of ['ru', 'en']) {
    const figures = figuresIn(await auditPage(`${place.url}${path}?lang=${language}`, `${page}-${language}-${repeat}`, place));
    found.push(...figures.map((figure) => ({ ...figure, what: `${page} (${language}), ${figure.what}` })));
  }
  return found;
}

/** A new browser for each measurement, so that every cache is cold. */
async function inBrowser({ executablePath }: Place, measure: (browser: Browser) => Promise<Figure[]>): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath, args: pageBrowserArguments });
  try {
    return await measure(browser);
  } finally {
    await browser.close();
  }
}
