import { setImmediate as nextTurn } from 'node:timers/promises';
import { linesWith } from './lines-with.ts';

/** The most lines of a search, and the most characters of each. */
const maxFound = 100;
const maxLineLength = 300;
/** The longest search (ms). */
export const maxSearchMs = 5_000;

type Searching = { words: string; signal: AbortSignal; elapsed: () => number };

/**
 * Returns the first lines of files that contain the words, as `path:line: text`. Other work goes on between its pieces. `isWhole` is false when the
 * search has ended by its time. Rejects when the signal aborts.
 */
export async function searchTexts(
  texts: AsyncIterable<{ path: string; text: string }>,
  { words, signal, elapsed }: Searching,
): Promise<{ found: string[]; isWhole: boolean }> {
  const begun = elapsed();
  const found: string[] = [];
  for await (const { path, text } of texts) {
    for (const one of linesWith(words, text)) {
      if (one) found.push(`${path}:${one.line}: ${one.text.slice(0, maxLineLength)}`);
      if (found.length === maxFound) return { found, isWhole: true };
      if (one) continue;
      await nextTurn();
      signal.throwIfAborted();
      if (elapsed() - begun > maxSearchMs) return { found, isWhole: false };
    }
  }
  return { found, isWhole: true };
}
