import type { Page } from 'playwright/test';

type CardChange = { title: string; state: string };
type Watched = { __cardChanges: CardChange[] };

/** Records every change of a card's state from now on. The recording runs in the page, so no change is missed. */
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

/** The titles of the cards that worked, in the order of their starts. */
export function whoWorked(changes: CardChange[]): string[] {
  return [...new Set(changes.filter(({ state }) => state === 'active').map(({ title }) => title))];
}
