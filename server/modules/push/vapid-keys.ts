import { createECDH } from 'node:crypto';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';

/** The key pair by which push services know this server (RFC 8292), as base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** Derives the key pair from the server's secret: all nodes have the same one, and nothing is stored. */
export function vapidKeysFrom(secret: SecretKey): VapidKeys {
  const scalar = secret.derive('web-push');
  // The order of the curve is above 2^255, so a number without the first bit is a private key.
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(scalar);
  return { publicKey: pair.getPublicKey().toString('base64url'), privateKey: scalar.toString('base64url') };
}
