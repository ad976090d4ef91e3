import { AdmissionQueue } from '../../../http/limits/admission-queue.ts';
import { replaceUnstorable } from '../../../platform/database/storable-text.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { ProcessLanes } from '../../../platform/processes/process-lanes.ts';
import { InputRefused } from '../input-refused.ts';
import { documentTypes } from '../mime-of.ts';
import type { ReadFile } from '../read-input-file.ts';
import type { DocumentFormat } from './document-format.ts';
import type { DrawnText } from './draw-texts.ts';

/** Draws the text out of a document. Throws `InputRefused`. */
export type ExtractText = (bytes: Uint8Array, path: string, format: DocumentFormat, options: { signal: AbortSignal }) => Promise<string>;

type Drawing = { userId: OwnerId; path: string; format: DocumentFormat; signal: AbortSignal };

/** One document of an account. Their processes have places of their own. */
const documentLimits = { atOnce: 500, atOncePerAccount: 1, maxWaiting: 500, maxPerAccount: 32 };

/** Reads the texts of users' documents, each in its turn. */
export function createDocumentTexts(extractText: ExtractText, lanes: ProcessLanes) {
  const documents = new AdmissionQueue(documentLimits);

  return { withText, extractOr };

  async function withText(
    userId: OwnerId,
    file: ReadFile,
    format: DocumentFormat,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<ReadFile> {
    return { ...file, text: await textOf({ userId, path: file.path, format, signal }, bytes) };
  }

  async function textOf({ userId, path, format, signal }: Drawing, bytes: Uint8Array): Promise<string> {
    const extract = () => lanes.run(userId, (ended) => extractText(bytes, path, format, { signal: ended }), signal);
    const text = await documents.run(userId, extract, signal);
    return replaceUnstorable(text);
  }

  /** A document that cannot be read is kept all the same: it is one file of many. */
  function extractOr(userId: OwnerId, signal: AbortSignal) {
    return (bytes: Uint8Array, path: string, format: DocumentFormat) =>
      textOf({ userId, path, format, signal }, bytes).catch((error: unknown) => {
        if (error instanceof InputRefused) return null;
        throw error;
      });
  }
}

/** Returns a file with the text that was drawn out of it. */
export function withDrawn(file: ReadFile, drawn: DrawnText | undefined): ReadFile {
  // A PDF without text is no text for an agent.
  if (!drawn || file.content === null) return file.kind === 'pdf' ? { ...file, kind: 'binary' } : file;
  return { ...file, kind: drawn.format === 'pdf' ? 'pdf' : 'document', mime: documentTypes[drawn.format], text: drawn.text };
}
