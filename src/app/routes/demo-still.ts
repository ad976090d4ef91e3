import { useEffect } from 'react';
import { PartLoadError } from '../../ui/loading/import-part.ts';
import { followDemoStart, readDemoStart, setDemoStart } from './demo-start.ts';

/** Removes the picture of the demonstration, when the demonstration is drawn or cannot be shown. */
export function removeStillImage(): void {
  const still = document.getElementById('still');
  if (!still) return;
  const hadFocus = still.contains(document.activeElement);
  still.remove();
  setDemoStart(null);
  // The pressed button is removed: the focus moves to the run control.
  if (hadFocus) document.querySelector<HTMLElement>('#root [data-testid="run-control"] button')?.focus({ preventScroll: true });
}

/** Returns whether the page still shows the picture. */
export function hasStillImage(): boolean {
  return document.getElementById('still') !== null;
}

/** Removes a picture in another language than the visitor's, or of another canvas than the address names. */
export function removeForeignStillImage(): void {
  const still = document.getElementById('still');
  const isOther = new URLSearchParams(location.search).get('projectId') === 'public-review';
  if (still && (isOther || still.dataset.language !== document.documentElement.lang)) removeStillImage();
}

/** Removes the picture when the component unmounts. */
export function useRemoveStillImage(): void {
  useEffect(() => removeStillImage, []);
}

/**
 * Loads a part of the page behind the picture. If the load fails after the visitor has pressed the start button, the button shows the
 * failure, and the next press retries. Otherwise it rejects as `load` does.
 */
export async function loadBehindStillImage<T>(load: () => Promise<T>): Promise<T> {
  let retry: () => Promise<unknown> = async () => {};
  for (;;) {
    try {
      // The failed part may be the texts of a component whose script has loaded.
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
