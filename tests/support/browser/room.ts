import type { Page } from 'playwright/test';

type Box = { left: number; top: number; right: number; bottom: number };

/** The boxes (CSS pixels) of the bars and panels that are seen, by their test ids. */
export async function boxesOf(page: Page): Promise<Record<string, Box>> {
  const found = await page
    .locator('[data-workspace] > [data-panel], [data-testid="run-control"], [data-testid="banner"]:not([inert])')
    .evaluateAll((all) =>
      all.map((element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect();
        const isSeen = width > 0 && getComputedStyle(element).visibility === 'visible' && element.id !== 'banners';
        return [(element as HTMLElement).dataset.testid ?? '', isSeen ? { left, top, right, bottom } : null] as const;
      }),
    );
  return Object.fromEntries(found.filter((entry): entry is [string, Box] => entry[1] !== null && entry[0] !== ''));
}

const meet = (a: Box, b: Box) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** Which bars overlap. A banner takes the place of the closed console's line, and is the first line of an open one. */
export function overlapsIn(boxes: Record<string, Box>): string[] {
  const names = Object.keys(boxes);
  return names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .filter((other) => meet(boxes[one] as Box, boxes[other] as Box))
      .map((other) => [one, other].sort().join(' '))
      .filter((pair) => pair !== 'banner console' && pair !== 'banner console-bar'),
  );
}

/** The share of the window that no bar covers, between the sidebar and the right edge. */
export function freeShare(boxes: Record<string, Box>, { width, height }: { width: number; height: number }): number {
  const { sidebar, 'run-control': control, 'project-bar': bar } = boxes;
  return ((width - (sidebar?.right ?? 0)) * ((control?.top ?? 0) - (bar?.bottom ?? 0))) / (width * height);
}

/**
 * The words of the bars' buttons and links that are cut, or that stand outside of the window. Names that people give, such as
 * that of the recipient, may be as long as they like.
 */
export async function cutWords(page: Page): Promise<string[]> {
  const bars = ['run-control', 'project-bar', 'account-bar', 'zoom'].map((id) => `[data-testid="${id}"]`);
  const controls = bars.flatMap((bar) => [`${bar} button`, `${bar} a[href]`]);
  return page.locator(controls.join(', ')).evaluateAll((all) =>
    (all as HTMLElement[])
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        const box = control.getBoundingClientRect();
        if (box.width < 2) return false;
        const isOutside = box.left < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
        const texts = [control, ...control.querySelectorAll(':not(.visually-hidden):not(svg):not(svg *)')];
        const isCut = texts.some((text) => text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).overflowX === 'hidden');
        return isOutside || isCut;
      })
      .filter((control) => control.dataset.testid !== 'project-switcher' && control.dataset.hue === undefined)
      .map((control) => control.textContent?.trim() || control.getAttribute('aria-label') || ''),
  );
}
