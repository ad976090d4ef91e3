import { useEffect } from 'react';
import { PartLoadError } from '../ui/loading/import-part.ts';
import { followDemoStart, readDemoStart, setDemoStart } from './demo-start.ts';

/** Takes away the picture that the demonstration's page came with: what it stands for is drawn, or never will be. */
export function removeStillImage(): void {
  const still = document.getElementById('still');
  if (!still) return;
  const hadFocus = still.contains(document.activeElement);
  still.remove();
  setDemoStart(null);
  // What was pressed is gone: the keyboard goes on at the control of what it started.
  if (hadFocus) document.querySelector<HTMLElement>('#root [data-testid="run-control"] button')?.focus({ preventScroll: true });
}

/** Whether the page shows the picture that it came with. */
export function hasStillImage(): boolean {
  return document.getElementById('still') !== null;
}

/** Takes away a picture whose words are in another language than the visitor's. */
export function removeForeignStillImage(): void {
  const still = document.getElementById('still');
  if (still && still.dataset.language !== document.documentElement.lang) removeStillImage();
}

/** Takes the picture away at the latest with the page that it stands for. */
export function useRemoveStillImage(): void {
  useEffect(() => removeStillImage, []);
}

/**
 * Loads what stands behind the picture. Where the visitor pressed its button, the button says that something did not arrive, and the next
 * press asks again; else it rejects as `load` does.
 */
export async function loadBehindStillImage<T>(load: () => Promise<T>): Promise<T> {
  let retry: () => Promise<unknown> = async () => {};
  for (;;) {
    try {
      // What failed may be the texts of a part whose script is there.
      await retry();
      return await load();
    } catch (problem) {
      if (readDemoStart() === null) throw problem;
      retry = problem instanceof PartLoadError ? problem.retry : async () => {};
      await pressedAgain();
    }
  }
}

function pressedAgain(): Promise<void> {
  return new Promise((resolve) => {
    const stop = followDemoStart(() => {
      if (readDemoStart() === 'failed') return;
      stop();
      resolve();
    });
    setDemoStart('failed');
  });
}
