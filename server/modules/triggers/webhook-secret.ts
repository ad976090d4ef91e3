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

/** `unsigned`: what proves the sender is missing, or has not its form. `late`: the time that is signed too is more than five minutes away. */
export type ProofProblem = 'unsigned' | 'forged' | 'late';
const bytesOfProof = 32;
const isHex = (text: string) => Buffer.from(text, 'hex').length === bytesOfProof && text.length === 2 * bytesOfProof;

/**
 * Says why no body could prove a delivery with these headers; null where one could. So the body of a stranger who has no secret, or an old signature, is
 * not read.
 */
export function refusedByHeaders(
  scheme: WebhookScheme,
  secrets: readonly string[],
  { headers, now }: { headers: Headers; now: Date },
): ProofProblem | null {
  const can: Record<WebhookScheme, () => boolean> = {
    standard: () => signedTime(headers) !== null && standardSignatures(headers).length > 0,
    github: () => isHex(one(headers, 'x-hub-signature-256').replace(/^sha256=/, '')),
    gitea: () => isHex(one(headers, 'x-gitea-signature')),
    gitlab: () => one(headers, 'x-gitlab-token') !== '',
    bearer: () => one(headers, 'authorization') !== '',
  };
  if (!can[scheme]()) return 'unsigned';
  // What is sent with the secret itself is decided without a body.
  if (scheme === 'gitlab' || scheme === 'bearer') return secrets.some((secret) => proofs[scheme](secret, headers, none)) ? null : 'forged';
  return scheme === 'standard' && isLate(signedTime(headers) as number, now) ? 'late' : null;
}
const none = new Uint8Array();

/** Returns a header of Standard Webhooks, or the one that Svix, from which they come, gives the same sense. */
function standardHeader(headers: Headers, name: 'id' | 'timestamp' | 'signature'): string {
  const start = headers['webhook-id'] === undefined ? 'svix' : 'webhook';
  return one(headers, `${start}-${name}`);
}

/** Returns the time that a sender says it has signed (s); null where it cannot have signed any. One in milliseconds is far too late. */
function signedTime(headers: Headers): number | null {
  const [id, seconds] = [standardHeader(headers, 'id'), standardHeader(headers, 'timestamp')];
  return id === '' || !/^\d{1,15}$/.test(seconds) ? null : Number(seconds);
}

const isLate = (seconds: number, now: Date) => Math.abs(seconds * 1_000 - now.getTime()) > windowMs;

function standardSignatures(headers: Headers): string[] {
  const given = standardHeader(headers, 'signature').split(' ', 20);
  return given.filter((signature) => signature.startsWith('v1,')).map((signature) => signature.slice('v1,'.length));
}

/**
 * Says whether one of the secrets has signed the bytes of a body, or is sent with it: `late` where the time that is signed too is more than five minutes
 * away. All comparisons take the same time for any wrong value.
 */
export function checkWebhook(
  scheme: WebhookScheme,
  secrets: readonly string[],
  { headers, body, now }: { headers: Headers; body: Uint8Array; now: Date },
): 'genuine' | ProofProblem {
  if (scheme !== 'standard') return secrets.some((secret) => proofs[scheme](secret, headers, body)) ? 'genuine' : 'forged';
  const seconds = signedTime(headers);
  if (seconds === null) return 'forged';
  const given = standardSignatures(headers);
  // As it was sent: the number may have zeros before it.
  const signed = `${standardHeader(headers, 'id')}.${standardHeader(headers, 'timestamp')}.`;
  const isSigned = secrets.some((secret) => {
    const key = Buffer.from(secret.slice(standardStart.length), 'base64');
    const right = createHmac('sha256', key).update(signed).update(body).digest('base64');
    return given.some((signature) => isSame(signature, right));
  });
  if (!isSigned) return 'forged';
  return isLate(seconds, now) ? 'late' : 'genuine';
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
