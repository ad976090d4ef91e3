import { type Browser, chromium } from 'playwright';
import { pageBrowserArguments } from '../../scripts/find-browser.ts';
import type { Figure } from '../figure.ts';
import { auditLanding } from './audit-landing.ts';
import type { PartName } from './options.ts';
import { timeDemo } from './time-demo.ts';
import { traceTimeline } from './trace-timeline.ts';

export type Place = {
  /** The server, without a slash at the end. */
  url: string;
  executablePath: string;
  /** Folder for Lighthouse's reports, or null. */
  reports: string | null;
};

/** Measures one part once; `repeat` tells its reports from those before. Throws when something did not work at all. */
export function measurePart(part: PartName, repeat: number, place: Place): Promise<Figure[]> {
  switch (part) {
    case 'landing':
      return landing(repeat, place);
    case 'demo':
      return inBrowser(place, (browser) => timeDemo(browser, place.url));
    case 'timeline':
      return inBrowser(place, (browser) => traceTimeline(browser, place.url));
  }
}

async function landing(repeat: number, place: Place): Promise<Figure[]> {
  const found: Figure[] = [];
  for (const language of ['ru', 'en']) {
    const figures = await auditLanding(`${place.url}/?lang=${language}`, `${language}-${repeat}`, place);
    found.push(...figures.map((figure) => ({ ...figure, what: `landing (${language}), ${figure.what}` })));
  }
  return found;
}

/** A browser of its own for each measurement: nothing of the one before is warm. */
async function inBrowser({ executablePath }: Place, measure: (browser: Browser) => Promise<Figure[]>): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath, args: pageBrowserArguments });
  try {
    return await measure(browser);
  } finally {
    await browser.close();
  }
}
