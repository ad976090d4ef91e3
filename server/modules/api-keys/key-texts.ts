import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const start = 'art_';
const randomLength = 34;
const markLength = 6;
/** The characters by which an owner knows a key: the start and four random ones. */
const prefixLength = start.length + 4;

/**
 * The texts of API keys: `art_` and 40 characters. The last six are a mark of this server, so a guessed key costs no look into the database, however many
 * come in a second.
 */
export class KeyTexts {
  readonly #markKey: Buffer;

  constructor(secret: SecretKey) {
    this.#markKey = secret.derive('api key marks');
  }

  /** Returns a new key of 202 random bits. */
  make(): string {
    const random = start + Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('');
    return random + this.#markOf(random);
  }

  prefixOf(key: string): string {
    return key.slice(0, prefixLength);
  }

  /** Whether this server, or one with the same secret, has made the key. It may be revoked. */
  isGenuine(key: string): boolean {
    if (key.length !== start.length + randomLength + markLength) return false;
    const mark = this.#markOf(key.slice(0, -markLength));
    const given = Buffer.from(key.slice(-markLength));
    return given.length === mark.length && timingSafeEqual(given, Buffer.from(mark));
  }

  #markOf(random: string): string {
    const bytes = createHmac('sha256', this.#markKey).update(random).digest().subarray(0, markLength);
    return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('');
  }
}
