import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Derives keys of their own for each purpose from the server's one secret. */
export type SecretKey = { derive: (purpose: string) => Buffer };

export function secretKeyFrom(secret: string): SecretKey {
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, 'artel', purpose, 32)) };
}

/** The secret of a server that was given none: made once, in a file of the data folder that only its owner may read. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const file = secretFile(dataDir);
  await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < 32)
    throw new Error(`The file ${file} holds no usable secret. Restore it from a backup, or remove it and enter all model keys anew.`);
  return secret;
}

/** The secret that was made in a data folder; null where none was. */
export async function readSecret(dataDir: string): Promise<string | null> {
  return (await stat(secretFile(dataDir)).catch(() => null)) ? readOrMakeSecret(dataDir) : null;
}

/** Puts a secret into a data folder that has none. */
export async function writeSecret(dataDir: string, secret: string): Promise<void> {
  await writeFile(secretFile(dataDir), `${secret}\n`, { mode: 0o600, flag: 'wx' });
}

/** By which a secret is known again and nothing is learnt of it. */
export function fingerprintOf(secret: string): string {
  return secretKeyFrom(secret).derive('fingerprint').toString('base64url');
}

function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.key');
}
