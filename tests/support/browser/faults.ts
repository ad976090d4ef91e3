import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';

/**
 * What axe finds wrong, by all its rules, those of good practice too: in the page, or in the part that a selector names. It looks when
 * what is on its way has arrived: half faded in, every text is too pale.
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
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
