import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKey } from './secret-key.ts';

/** Encrypts short texts for the database. `about` binds a text to its row: in another row it cannot be decrypted. */
export type SecretBox = {
  seal: (text: string, about: string) => string;
  /** Null when the text was encrypted with another secret, for another row, or was altered. */
  open: (sealed: string, about: string) => string | null;
};

const version = 'v1';

/** AES-256-GCM with a random nonce. */
export function makeSecretBox(secret: SecretKey): SecretBox {
  const key = secret.derive('stored-secrets');
  return {
    seal: (text, about) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [version, nonce.toString('base64url'), body.toString('base64url'), cipher.getAuthTag().toString('base64url')].join('.');
    },
    open: (sealed, about) => {
      const [prefix, nonce, body, tag] = sealed.split('.');
      if (prefix !== version || nonce === undefined || body === undefined || tag === undefined) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(about)).setAuthTag(Buffer.from(tag, 'base64url'));
        return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
