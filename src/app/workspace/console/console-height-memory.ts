import { z } from 'zod';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';

const key = 'console:height';
const stored = z.object({ height: z.number().positive(), windowHeight: z.number().positive() });

/** Returns the height that a person has chosen for the console, with the same share of a lower window; null without a choice. */
export function readConsoleHeight(windowHeight: number): number | null {
  try {
    const { height, windowHeight: then } = stored.parse(JSON.parse(readStored(key) ?? ''));
    return Math.round(height * Math.min(1, windowHeight / then));
  } catch {
    return null;
  }
}

/** `height`: null takes the choice back. */
export function storeConsoleHeight(height: number | null, windowHeight: number): void {
  writeStored(key, height === null ? '' : JSON.stringify({ height, windowHeight }));
}
