import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { paleTexts } from './text-contrast.ts';

/**
 * Returns the violations that axe finds with all its rules, best practices included, in the page or in the selected part. Where
 * axe cannot decide on a contrast, the pixels behind the text decide. Waits for transitions, as half-faded text has a low contrast.
 */
export async function faults(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(() => {
    // Animations of the scroll position have no end in time.
    const timed = document.getAnimations().filter((animation) => animation.timeline === document.timeline);
    const passing = timed.filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(passing.map((animation) => animation.finished));
  });
  // In its default mode axe opens a page for each analysis, for frames of other origins; there are none.
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
