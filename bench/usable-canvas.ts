import type { Page } from 'playwright';

type Noted = { __usableAt?: number };

/** Records in each document of a page when its canvas has drawn a frame with cards. */
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

/** Milliseconds from the start of the navigation to that frame. The page starts from an empty one, so that leaving another page does not count. */
export async function openToUsableCanvas(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  const usable = await page.waitForFunction(() => (window as unknown as Noted).__usableAt);
  return Number(await usable.jsonValue());
}
