import type { Page } from 'playwright';

type Noted = { __usableAt?: number };

/** Has each document of a page note when its canvas had cards and had drawn a frame with them. */
export async function noteUsableCanvas(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      // One frame later it has been painted.
      if (
        document.querySelector('[data-testid="canvas-outline"] [data-node-id]') &&
        document.querySelector('[data-testid="canvas"] canvas')
      )
        requestAnimationFrame(() => requestAnimationFrame(() => ((window as unknown as Noted).__usableAt = performance.now())));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Milliseconds from the beginning of the navigation to that frame. The page comes from an empty one: how another is left is not its own. */
export async function openToUsableCanvas(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  const usable = await page.waitForFunction(() => (window as unknown as Noted).__usableAt);
  return Number(await usable.jsonValue());
}
