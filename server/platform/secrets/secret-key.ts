import { hkdfSync, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfExists } from '../files/read-if-exists.ts';
import { writeWholeFile } from '../files/write-whole-file.ts';

/** Derives a separate key for each purpose from the server's one secret. */
export type SecretKey = { derive: (purpose: string) => Buffer };

export function secretKeyFrom(secret: string): SecretKey {
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, 'artel', purpose, 32)) };
}

/**
 * Returns the secret of a server without a configured one: created once, in a file of the data folder that only its owner may read. An
 * incomplete file is replaced where `isUnused` says that nothing was encrypted with it; otherwise this throws.
 */
export async function readOrMakeSecret(dataDir: string, isUnused: () => Promise<boolean> = async () => false): Promise<string> {
  const file = secretFile(dataDir);
  const text = await readIfExists(file);
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
  return ((await readIfExists(file)) ?? '').trim();
}

/** Returns the secret stored in a data folder; null if there is none, or an incomplete one. */
export async function readSecret(dataDir: string): Promise<string | null> {
  const text = await readIfExists(secretFile(dataDir));
  return text !== null && isWhole(text) ? text.trim() : null;
}

/** Stores a secret in a data folder that has none. */
export async function writeSecret(dataDir: string, secret: string): Promise<void> {
  await writeWholeFile(secretFile(dataDir), `${secret}\n`, { replace: (await readSecret(dataDir)) === null });
}

function isWhole(text: string): boolean {
  return text.trim().length >= 32;
}

/** Returns a fingerprint that identifies a secret without revealing it. */
export function fingerprintOf(secret: string): string {
  return secretKeyFrom(secret).derive('fingerprint').toString('base64url');
}

function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}
