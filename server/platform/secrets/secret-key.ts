import { hkdfSync, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../files/read-if-there.ts';
import { writeWholeFile } from '../files/write-whole-file.ts';

/** Derives keys of their own for each purpose from the server's one secret. */
export type SecretKey = { derive: (purpose: string) => Buffer };

export function secretKeyFrom(secret: string): SecretKey {
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, 'artel', purpose, 32)) };
}

/**
 * The secret of a server that was given none: made once, in a file of the data folder that only its owner may read. A file without a
 * whole secret, as an early end leaves it, is made anew where `isUnused` says that nothing was sealed with one yet; else this throws.
 */
export async function readOrMakeSecret(dataDir: string, isUnused: () => Promise<boolean> = async () => false): Promise<string> {
  const file = secretFile(dataDir);
  const text = await readIfThere(file);
  if (text !== null && !isWhole(text)) {
    if (!(await isUnused()))
      throw new Error(`The file ${file} holds no usable secret. Restore it from a backup, or remove it and enter all model keys anew.`);
    await rm(file, { force: true });
  }
  if (text === null || !isWhole(text)) {
    await writeWholeFile(file, `${randomBytes(32).toString('base64url')}\n`, { replace: false }).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return ((await readIfThere(file)) ?? '').trim();
}

/** The secret that was made in a data folder; null where there is none, or no whole one. */
export async function readSecret(dataDir: string): Promise<string | null> {
  const text = await readIfThere(secretFile(dataDir));
  return text !== null && isWhole(text) ? text.trim() : null;
}

/** Puts a secret into a data folder that has none. */
export async function writeSecret(dataDir: string, secret: string): Promise<void> {
  await writeWholeFile(secretFile(dataDir), `${secret}\n`, { replace: (await readSecret(dataDir)) === null });
}

function isWhole(text: string): boolean {
  return text.trim().length >= 32;
}

/** By which a secret is known again and nothing is learnt of it. */
export function fingerprintOf(secret: string): string {
  return secretKeyFrom(secret).derive('fingerprint').toString('base64url');
}

function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}
