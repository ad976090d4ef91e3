import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebhookScheme } from '../../../contract/trigger.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How far the time that a sender has signed may be from that of this server (ms), as Standard Webhooks says. */
const windowMs = 5 * 60_000;
const standardStart = 'whsec_';
const secretBytes = 32;

/** Binds a sealed secret to its trigger. */
export const aboutTriggerSecret = (triggerId: string) => `trigger ${triggerId} secret`;

/** Returns a secret in the form that senders of the scheme take. */
export function newWebhookSecret(scheme: WebhookScheme): string {
  const random = randomBytes(secretBytes);
  return scheme === 'standard' ? standardStart + random.toString('base64') : random.toString('base64url');
}

/**
 * Says whether one of the secrets has signed the bytes of a body, or is sent with it: `late` where the time that is signed too is more than five minutes
 * away. All comparisons take the same time for any wrong value.
 */
export function checkWebhook(
  scheme: WebhookScheme,
  secrets: readonly string[],
  { headers, body, now }: { headers: Headers; body: Uint8Array; now: Date },
): 'genuine' | 'forged' | 'late' {
  if (scheme !== 'standard') return secrets.some((secret) => proofs[scheme](secret, headers, body)) ? 'genuine' : 'forged';
  const [id, seconds] = [one(headers, 'webhook-id'), one(headers, 'webhook-timestamp')];
  if (id === '' || !/^\d{1,12}$/.test(seconds)) return 'forged';
  const given = one(headers, 'webhook-signature')
    .split(' ', 20)
    .filter((signature) => signature.startsWith('v1,'));
  const isSigned = secrets.some((secret) => {
    const key = Buffer.from(secret.slice(standardStart.length), 'base64');
    const right = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
    return given.some((signature) => isSame(signature.slice('v1,'.length), right));
  });
  if (!isSigned) return 'forged';
  return Math.abs(Number(seconds) * 1_000 - now.getTime()) <= windowMs ? 'genuine' : 'late';
}

const proofs: Record<Exclude<WebhookScheme, 'standard'>, (secret: string, headers: Headers, body: Uint8Array) => boolean> = {
  github: (secret, headers, body) => isSame(one(headers, 'x-hub-signature-256'), `sha256=${hexOf(secret, body)}`),
  gitea: (secret, headers, body) => isSame(one(headers, 'x-gitea-signature'), hexOf(secret, body)),
  gitlab: (secret, headers) => isSame(one(headers, 'x-gitlab-token'), secret),
  bearer: (secret, headers) => isSame(one(headers, 'authorization').replace(/^Bearer /i, ''), secret),
};

function hexOf(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Returns a header; an empty text for one that is missing or comes twice. */
export function one(headers: Headers, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  // The length of a right value is known to all.
  return a.length === b.length && timingSafeEqual(a, b);
}
