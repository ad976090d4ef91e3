import { createHash } from 'node:crypto';

/** Returns the name that Git gives to a file's bytes. */
export function blobName(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
