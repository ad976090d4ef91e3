import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { addressKey } from '../../http/limits/address-key.ts';
import type { KnownClients } from '../../http/limits/rate-limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { SecretKey } from '../../platform/secrets/secret-key.ts';
import { AuthRepository } from './repository.ts';

/** How long a device stays known after its last sign-in or refresh. */
const deviceDays = 180;
const daySeconds = 86_400;

export type ClientRecognition = KnownClients & {
  /** The stored form of a session's address. */
  placeOf: (address: string) => string;
  /**
   * The `Set-Cookie` that makes a browser a known device of the account (OWASP "device cookies"). It gives no access: it only gives the
   * browser's guesses a counter of their own, one for each session.
   */
  deviceCookie: (email: string, sessionId: string, isSecure: boolean) => string;
};

/** Recognises devices by a signed cookie that is bound to the account, and other clients by the address of an earlier session. */
export function createClientRecognition({ db, secret, now }: { db: Db; secret: SecretKey; now: () => number }): ClientRecognition {
  const [deviceKey, placeKey] = [secret.derive('device-cookies'), secret.derive('known-places')];
  const placeOf = (address: string) => createHmac('sha256', placeKey).update(addressKey(address)).digest('base64url');
  const sign = (email: string, claim: string) => createHmac('sha256', deviceKey).update(`${claim}\n${email}`).digest('base64url');
  return {
    placeOf,
    deviceCookie: (email, sessionId, isSecure) => {
      const claim = `${sessionId}.${Math.floor(now() / 1000).toString(36)}`;
      const attributes = [
        'Path=/api/auth',
        `Max-Age=${deviceDays * daySeconds}`,
        'HttpOnly',
        'SameSite=Strict',
        ...(isSecure ? ['Secure'] : []),
      ];
      return [`${cookieName(email)}=${claim}.${sign(email, claim)}`, ...attributes].join('; ');
    },
    deviceOf: (cookies, email) => {
      const [sessionId = '', issued = '', signature = ''] = cookieValue(cookies, cookieName(email)).split('.');
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(email, `${sessionId}.${issued}`))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const ageSeconds = now() / 1000 - Number.parseInt(issued, 36);
      return ageSeconds < deviceDays * daySeconds ? sessionId : null;
    },
    isKnownAddress: (email, address) => new AuthRepository(db).hasSessionFrom(email, placeOf(address), new Date(now())),
  };
}

/** One cookie for each account, so that users who share a browser do not replace each other's. */
function cookieName(email: string): string {
  return `artel_device_${createHash('sha256').update(email).digest('hex').slice(0, 12)}`;
}

function cookieValue(cookies: string | undefined, name: string): string {
  const start = `${name}=`;
  const found = (cookies ?? '').split(';').find((cookie) => cookie.trimStart().startsWith(start));
  return found === undefined ? '' : found.trim().slice(start.length);
}
