import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FoundLine, type LineMatcher, linesIn } from './lines-in.ts';
import type { SearchThread } from './search-thread.ts';
import type { SearchedText } from './search-worker.ts';

/** The most lines of a search that match, and the most characters of each. */
export const maxFound = 200;
const maxLineLength = 300;
/** The longest search (ms). */
export const maxSearchMs = 5_000;
/** The characters of texts that the thread is given at a time. */
const batchLength = 1024 * 1024;

export type Searching = {
  query: string;
  isExpression: boolean;
  context: number;
  thread: SearchThread;
  signal: AbortSignal;
  elapsed: () => number;
};

/** Lines by file, the number of all that match, and whether all files were read in the time. */
export type FoundLines = { files: { path: string; lines: FoundLine[] }[]; count: number; isWhole: boolean };

/** Finds the lines of files: those that contain the words, in any case, or that an expression matches. More than two hundred are counted only. */
export async function searchFiles(texts: AsyncIterable<SearchedText>, searching: Searching): Promise<FoundLines> {
  return searching.isExpression ? searchOnThread(texts, searching) : searchHere(texts, searching);
}

/** Other work goes on between the pieces. Rejects when the signal aborts. */
async function searchHere(texts: AsyncIterable<SearchedText>, { query, context, signal, elapsed }: Searching): Promise<FoundLines> {
  const begun = elapsed();
  const result: FoundLines = { files: [], count: 0, isWhole: true };
  const matches = containing(query);
  for await (const { path, text } of texts) {
    const lines: FoundLine[] = [];
    for (const one of linesIn(text, matches, context)) {
      if (one?.isMatch) result.count += 1;
      if (one && result.count <= maxFound) lines.push(one);
      if (one) continue;
      await nextTurn();
      signal.throwIfAborted();
      if (elapsed() - begun > maxSearchMs) {
        result.isWhole = false;
        break;
      }
    }
    if (lines.length > 0) result.files.push({ path, lines });
    signal.throwIfAborted();
    if (!result.isWhole) break;
  }
  return result;
}

async function searchOnThread(
  texts: AsyncIterable<SearchedText>,
  { query, context, thread, signal, elapsed }: Searching,
): Promise<FoundLines> {
  const begun = elapsed();
  const result: FoundLines = { files: [], count: 0, isWhole: true };
  const expression = { source: query, context };
  for await (const batch of batchesOf(texts)) {
    const ms = Math.max(1, Math.round(maxSearchMs - (elapsed() - begun)));
    const found = await thread.search(expression, batch, { ms, lines: Math.max(0, maxFound - result.count) }, signal);
    if (!found) return { ...result, isWhole: false };
    result.files.push(...found.found);
    result.count += found.count;
    result.isWhole = found.isWhole && elapsed() - begun <= maxSearchMs;
    if (!result.isWhole) break;
  }
  return result;
}

async function* batchesOf(texts: AsyncIterable<SearchedText>): AsyncGenerator<SearchedText[]> {
  let batch: SearchedText[] = [];
  let length = 0;
  for await (const file of texts) {
    batch.push(file);
    length += file.text.length;
    if (length < batchLength) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Writes found lines by file: `12: text` for one that matches, `13- text` for one beside it. */
export function writtenLines(files: FoundLines['files']): string[] {
  return files.flatMap(({ path, lines }) => [
    path,
    ...lines.map(({ line, text, isMatch }) => `${line}${isMatch ? ':' : '-'} ${text.slice(0, maxLineLength)}`),
  ]);
}

export function containing(words: string): LineMatcher {
  const wanted = inLowerCase(words);
  return (line) => inLowerCase(line).includes(wanted);
}

/** A last sigma is like any other, and the Turkish capital I like the other one. */
function inLowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}
