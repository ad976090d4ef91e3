import { createHmac, randomBytes } from 'node:crypto';

const start = 'whsec_';
/** The length that Standard Webhooks recommends. */
const secretBytes = 32;

export function newHookSecret(): string {
  return start + randomBytes(secretBytes).toString('base64');
}

/** Binds a sealed secret to its hook. */
export const aboutHookSecret = (hookId: string) => `hook ${hookId} secret`;

/**
 * Returns the headers that prove who sends a body, as Standard Webhooks says: the id of the event, the time of this try, and an HMAC of both with the
 * body. Each secret signs, so that a receiver may know any of them.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(start.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
