import type { Page } from 'playwright/test';

export type CardChange = { title: string; state: string };
type Watched = { __cardChanges: CardChange[] };

/** Writes down every change of a card's state from now on, in the page, so that none is missed between two looks. */
export async function watchCards(page: Page): Promise<() => Promise<CardChange[]>> {
  await page.evaluate(() => {
    const changes: CardChange[] = [];
    (window as unknown as Watched).__cardChanges = changes;
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        if (!(target instanceof HTMLElement) || target.dataset.nodeId === undefined) continue;
        changes.push({ title: target.textContent?.split(',')[0] ?? '', state: target.dataset.state ?? '' });
      }
    });
    const outline = document.querySelector('[data-testid="canvas-outline"]');
    if (outline === null) throw new Error('there is no canvas to watch');
    observer.observe(outline, { subtree: true, attributeFilter: ['data-state'] });
  });
  return () => page.evaluate(() => (window as unknown as Watched).__cardChanges);
}

/** The titles of the cards that worked, in the order in which each began. */
export function whoWorked(changes: CardChange[]): string[] {
  return [...new Set(changes.filter(({ state }) => state === 'active').map(({ title }) => title))];
}
