import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { paleTexts } from './text-contrast.ts';

/**
 * What axe finds wrong, by all its rules, those of good practice too: in the page, or in the part that a selector names. Where axe cannot
 * decide on a contrast, the pixels behind the text decide. It looks when transitions have ended: half faded in, every text is too pale.
 */
export async function faults(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(() => {
    // What follows the scroll position has no end in time.
    const timed = document.getAnimations().filter((animation) => animation.timeline === document.timeline);
    const passing = timed.filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(passing.map((animation) => animation.finished));
  });
  // By itself it would open a page of its own each time, for frames of other origins: there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations, incomplete } = await (part === undefined ? axe : axe.include(part)).analyze();
  const undecided = incomplete
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' ')));
  const pale = await paleTexts(page, undecided);
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...pale.map((text) => `color-contrast on pixels: ${text}`),
  ];
}
