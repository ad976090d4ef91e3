import { PassThrough, Readable, type Transform } from 'node:stream';
import { lazily } from '../../../platform/lazily.ts';

const yazl = lazily<typeof import('yazl')>('yazl');

export type ZipStream = {
  /** What a client reads. It ends with an error when the writer has failed. */
  output: Readable;
  /** Writes one file, and resolves once the client has taken it. Rejects when the client has gone. */
  add: (path: string, chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>) => Promise<void>;
  /** Writes the directory of the archive. */
  end: () => void;
  fail: (error: Error) => void;
};

/** A client that has taken nothing for so long has gone (ms). */
const silenceMs = 120_000;

/** Packs files into a ZIP, one after another, while a client reads it: memory holds a few pieces of one file, however large the archive is. */
export function createZipStream(maxSilenceMs = silenceMs): ZipStream {
  const zip = new (yazl().ZipFile)();
  const output = zip.outputStream.pipe(watched(maxSilenceMs));
  zip.on('error', (error) => output.destroy(error));
  const gone = new Promise<never>((_resolve, reject) => {
    output.once('close', () => reject(new Error('The client of an export has gone.')));
  });
  gone.catch(() => {});
  return {
    output,
    add: async (path, chunks) => {
      const content = Readable.from(asBytes(chunks), { objectMode: false });
      const read = new Promise<void>((resolve, reject) => {
        content.once('end', resolve);
        content.once('error', reject);
      });
      zip.addReadStream(content, path);
      try {
        await Promise.race([read, gone]);
      } catch (error) {
        output.destroy(error as Error);
        throw error;
      } finally {
        content.destroy();
      }
    },
    end: () => zip.end(),
    fail: (error) => void output.destroy(error),
  };
}

async function* asBytes(chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Passes everything on, and ends with an error when nothing has been taken for too long. */
function watched(maxSilenceMs: number): Transform {
  const timer = setTimeout(() => stream.destroy(new Error('The client of an export reads no more.')), maxSilenceMs).unref();
  const stream = new PassThrough({
    transform(chunk, _encoding, done) {
      timer.refresh();
      done(null, chunk);
    },
  });
  stream.once('close', () => clearTimeout(timer));
  return stream;
}
