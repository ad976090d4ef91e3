import { readStored, writeStored } from '../../../ui/stored-preference.ts';

const key = 'console:height';

/** Returns the height that a person has chosen for the console, with the same share of a lower window; null without a choice. */
export function readConsoleHeight(windowHeight: number): number | null {
  try {
    const { height, windowHeight: then } = JSON.parse(readStored(key) ?? '{}');
    const isChosen = [height, then].every((value) => Number.isFinite(value) && value > 0);
    return isChosen ? Math.round(height * Math.min(1, windowHeight / then)) : null;
  } catch {
    return null;
  }
}

/** `height`: null takes the choice back. */
export function storeConsoleHeight(height: number | null, windowHeight: number): void {
  writeStored(key, height === null ? '{}' : JSON.stringify({ height, windowHeight }));
}
