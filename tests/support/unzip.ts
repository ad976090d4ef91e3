import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Unpacks an archive into its files by path. Rejects for a damaged one, and for two entries of one path. */
export async function unzip(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (files.has(entry.fileName)) throw new Error(`The archive has ${entry.fileName} twice.`);
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}
