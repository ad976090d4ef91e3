import { webcrypto } from 'node:crypto';
import { type InputFile, type InputRefusal, inputLimits } from '../../../contract/input.ts';
import { imageType } from '../../platform/llm/image-type.ts';
import { safePath } from '../files/index.ts';
import { type DocumentFormat, documentFormatOf } from './documents/document-format.ts';
import { documentTypes, mimeOf } from './mime-of.ts';
import { readText, type TextRead } from './text/read-text.ts';

/**
 * A file before it is stored. `text` is null for a binary file, and for a PDF until its text is drawn out. `content` is null for plain UTF-8,
 * whose bytes the text has.
 */
export type ReadFile = Omit<InputFile, 'from'> & { executable: boolean; content: Buffer | null; text: string | null };

/** `format`: that of a document whose text is to be drawn out. */
type Read = { ok: true; file: ReadFile; format: DocumentFormat | null } | { ok: false; reason: InputRefusal };

/**
 * Reads a file that a user gave: its path, its kind by its first bytes, its text and its hash. `keepsBinary` takes a file that is neither
 * text, document nor image as it is, as in an archive. Else it is refused, with a reason that says what it is.
 */
export async function readInputFile(name: string, bytes: Uint8Array, keepsBinary: boolean): Promise<Read> {
  const safe = safePath(name);
  return safe.ok ? readContent(safe.path, bytes, keepsBinary) : { ok: false, reason: safe.reason as InputRefusal };
}

/** The same for a file whose path stays as it is. */
export async function readContent(path: string, bytes: Uint8Array, keepsBinary: boolean): Promise<Read> {
  if (bytes.length > inputLimits.fileBytes) return { ok: false, reason: 'too_large' };
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const form = formOf(path, content, keepsBinary);
  if (!keepsBinary && form.kind === 'binary') return { ok: false, reason: form.reason };
  const digest = await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  const { text, encoding, replaced } = form.kind === 'text' ? form : { text: null, encoding: null, replaced: 0 };
  return {
    ok: true,
    format: 'format' in form ? form.format : null,
    file: {
      path,
      mime: mimeOfForm(path, form),
      kind: form.kind,
      bytes: bytes.length,
      sha256: Buffer.from(digest).toString('hex'),
      executable: false,
      // Plain UTF-8 has the bytes of the file.
      content: form.kind === 'text' && encoding === null ? null : content,
      text,
      encoding,
      replaced,
    },
  };
}

type Form =
  | ({ kind: 'text' } & TextRead)
  | { kind: 'pdf' | 'document'; format: DocumentFormat }
  | { kind: 'image'; mime: string }
  | { kind: 'binary'; reason: InputRefusal };

function mimeOfForm(path: string, form: Form): string {
  if ('format' in form) return documentTypes[form.format];
  return form.kind === 'image' ? form.mime : mimeOf(path, form.kind);
}

function formOf(path: string, bytes: Buffer, keepsBinary: boolean): Form {
  const format = documentFormatOf(bytes);
  if (format === 'pdf') return { kind: 'pdf', format };
  if (format && !keepsBinary) return { kind: 'document', format };
  if (startsWith(bytes, 'd0cf11e0a1b11ae1')) return { kind: 'binary', reason: 'document_old' };
  const mime = imageType(bytes);
  if (mime !== null)
    return bytes.length > inputLimits.image.bytes ? { kind: 'binary', reason: 'image_too_large' } : { kind: 'image', mime };
  if (isOtherImage(path, bytes)) return { kind: 'binary', reason: 'image' };
  if (startsWith(bytes, '504b0304') || startsWith(bytes, '504b0506'))
    return { kind: 'binary', reason: /\.zip$/i.test(path) ? 'is_archive' : 'binary' };
  const read = readText(bytes);
  return read ? { kind: 'text', ...read } : { kind: 'binary', reason: bytes.includes(0) ? 'binary' : 'not_utf8' };
}

/** TIFF, icons, and images of other kinds that are damaged. */
const imageMarks = ['89504e47', 'ffd8ff', '47494638', '49492a00', '4d4d002a', '00000100'];

/** Whether a file is an image that no model takes. */
function isOtherImage(path: string, bytes: Buffer): boolean {
  const isBox = bytes.subarray(4, 8).equals(Buffer.from('ftyp')) && /\.(heic|heif|avif)$/i.test(path);
  return isBox || imageMarks.some((mark) => startsWith(bytes, mark)) || (startsWith(bytes, '424d') && /\.bmp$/i.test(path));
}

function startsWith(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).equals(Buffer.from(hex, 'hex'));
}

/** The bytes that a file takes of its account. */
export function bytesOf({ content, text }: ReadFile): number {
  return (content?.length ?? 0) + Buffer.byteLength(text ?? '');
}

export const pathOf = ({ path }: ReadFile) => path;
