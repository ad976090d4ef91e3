import { answerFileMaxLength } from '../../../contract/executions/question.ts';
import { importPart } from '../../ui/loading/import-part.ts';
import type { AnswerFile } from './input-values.ts';

/** A file that was read, with the encoding that its text has, unless it is UTF-8. */
type ReadAnswer = { file: AnswerFile; encoding: string | null };

/** Reads a chosen file in the encoding that it has. A file that is too large or no text is refused. */
export async function readAnswerFile(file: File): Promise<ReadAnswer | 'large' | 'binary'> {
  if (file.size > answerFileMaxLength) return 'large';
  const bytes = new Uint8Array(await file.arrayBuffer());
  for (const encoding of await encodingsOf(bytes)) {
    const content = decoded(bytes, encoding);
    if (content === null || content.includes('\0')) continue;
    // Older encodings need more bytes in UTF-8.
    if (new TextEncoder().encode(content).length > answerFileMaxLength) return 'large';
    return { file: { name: file.name, content }, encoding: encoding === 'utf-8' ? null : encoding };
  }
  return 'binary';
}

/** The confidence below which the detector guesses, in percent. */
const leastConfidence = 15;

/** Returns the encodings that a text may have, the most probable one first. The detector is loaded for what is not UTF-8. */
async function encodingsOf(bytes: Uint8Array): Promise<string[]> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le'];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be'];
  if (decoded(bytes, 'utf-8') !== null || bytes.includes(0)) return ['utf-8'];
  const { analyse } = await importPart(() => import('chardet'));
  const found = analyse(bytes).filter(({ confidence }) => confidence >= leastConfidence);
  return found.map(({ name }) => name.toLowerCase());
}

/** Returns null for bytes that are not in this encoding, and for one that the browser does not know. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
