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

/**
 * Draws the texts out of the documents among these files, by path. Of files with one path the first counts, as in a set. `extract` returns null for a
 * document that cannot be read, or has no text.
 */
export async function drawTexts(
  found: AsyncIterable<FoundFile> | Iterable<FoundFile>,
  extract: (bytes: Uint8Array, path: string, format: DocumentFormat) => Promise<string | null>,
  elapsed: () => number,
): Promise<Map<string, DrawnText>> {
  const texts = new Map<string, DrawnText>();
  const seen = new Set<string>();
  const begun = elapsed();
  let count = 0;
  let length = 0;
  for await (const file of found) {
    if (!('content' in file) || !isDocumentName(file.path) || seen.has(file.path)) continue;
    seen.add(file.path);
    const format = documentFormatOf(file.content);
    if (format === null || format === 'rtf') continue;
    count += 1;
    if (count > drawLimits.documents || length > drawLimits.length || elapsed() - begun > drawLimits.timeMs) break;
    const text = await extract(file.content, file.path, format);
    if (text === null) continue;
    texts.set(file.path, { format, text });
    length += text.length;
  }
  return texts;
}
