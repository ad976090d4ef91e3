import type { Page } from 'playwright/test';

/** Resolves when the page has drawn what it had to draw: the second next frame has begun. */
export function afterFrames(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
}
