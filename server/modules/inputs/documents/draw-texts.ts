import type { FoundFile } from '../unpack-archive.ts';
import { type DocumentFormat, documentFormatOf } from './document-format.ts';

/**
 * Documents of one archive or repository whose text is drawn out, the characters and the time (ms) of all of
 * them. The others are kept without text.
 */
const drawLimits = { documents: 25, length: 8 * 1024 * 1024, timeMs: 60_000 };

export type DrawnText = { format: DocumentFormat; text: string };

/** Whether a name is that of a document. */
export function isDocumentName(path: string): boolean {
  return /\.(?:pdf|docx|xlsx)$/i.test(path);
}

type Extract = (bytes: Uint8Array, path: string, format: DocumentFormat) => Promise<string | null>;

/**
 * Returns a function that draws the text out of a document within the limits of all of them together. It returns null for another file, and for
 * what `extract` returns null: a document that cannot be read, or has no text.
 */
export function createTextDrawer(
  extract: Extract,
  elapsed: () => number,
): (path: string, content: Uint8Array) => Promise<DrawnText | null> {
  const begun = elapsed();
  let count = 0;
  let length = 0;
  return async (path, content) => {
    const format = isDocumentName(path) ? documentFormatOf(content) : null;
    if (format === null || format === 'rtf') return null;
    count += 1;
    if (count > drawLimits.documents || length > drawLimits.length || elapsed() - begun > drawLimits.timeMs) return null;
    const text = await extract(content, path, format);
    if (text === null) return null;
    length += text.length;
    return { format, text };
  };
}

/** Draws the texts out of the documents among these files, by path. Of files with one path the first counts, as in a set. */
export async function drawTexts(
  found: AsyncIterable<FoundFile> | Iterable<FoundFile>,
  extract: Extract,
  elapsed: () => number,
): Promise<Map<string, DrawnText>> {
  const texts = new Map<string, DrawnText>();
  const seen = new Set<string>();
  const draw = createTextDrawer(extract, elapsed);
  for await (const file of found) {
    if (!('content' in file) || seen.has(file.path)) continue;
    seen.add(file.path);
    const drawn = await draw(file.path, file.content);
    if (drawn) texts.set(file.path, drawn);
  }
  return texts;
}
