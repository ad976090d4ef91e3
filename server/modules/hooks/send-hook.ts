import type { DeliveryProblem, HookDelivery } from '../../../contract/hook.ts';
import { type Egress, type EgressRequest, HostRefused } from '../../platform/egress/egress.ts';
import { retryAfterMs } from '../../platform/egress/retry-after.ts';
import { proxyTrouble } from '../../platform/egress/tunnel.ts';
import { isUntrustedCertificate } from '../../platform/egress/untrusted-certificate.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { EventSender, FoundDelivery } from './deliveries.ts';
import { aboutHookSecret, signedHeaders } from './hook-secret.ts';
import type { EventAbout, TryOutcome } from './tables.ts';

export type SentEvent = {
  url: string;
  /** The present secret, and those that it has replaced a short time ago. */
  secrets: readonly string[];
  eventId: string;
  event: HookDelivery['event'];
  projectId: string;
  createdAt: Date;
  about: EventAbout;
};

type SendDeps = {
  egress: Egress;
  /** The server's public address. */
  address: () => string;
  now: () => Date;
};

/** Sends one event to its receiver, signed. Redirects are not followed. */
export function createSendHook({ egress, address, now }: SendDeps) {
  return async ({ url, secrets, eventId, event, projectId, createdAt, about }: SentEvent, signal: AbortSignal): Promise<TryOutcome> => {
    const { texts, ...told } = about;
    const question = typeof told.questionId === 'string' ? `&question=${told.questionId}` : '';
    const data = { projectId, ...told, ...texts, link: `${address()}/test-project?projectId=${projectId}${question}` };
    const body = JSON.stringify({ type: event, timestamp: createdAt.toISOString(), data });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Artel',
      ...signedHeaders(secrets, { id: eventId, body, at: now() }),
    };
    return callReceiver(egress, url, { method: 'POST', headers, body, signal, now });
  };
}

type HookSenderDeps = { secrets: Pick<SecretBox, 'open'>; send: ReturnType<typeof createSendHook> };

/** Opens the secrets of a delivery's hook, and sends it. */
export function createHookSender({ secrets, send }: HookSenderDeps): EventSender<FoundDelivery> {
  return async (delivery, signal) => {
    if (delivery.url === null) throw new Error('The delivery of a hook has no hook.');
    const about = aboutHookSecret(delivery.target);
    const [secret, ...former] = [delivery.sealed, ...delivery.former].map((sealed) => secrets.open(sealed, about));
    if (!secret) return { problem: 'secret', answerStatus: null };
    return send({ ...delivery, secrets: [secret, ...former.filter((one) => one !== null)] }, signal);
  };
}

/** Makes a call of which only the head of the answer is read: an endless body costs nothing. */
export async function callReceiver(
  egress: Egress,
  url: string,
  { signal, now, ...request }: EgressRequest & { signal: AbortSignal; now: () => Date },
): Promise<TryOutcome> {
  const head = new AbortController();
  try {
    const { status, ok, headers } = await egress(url, { ...request, signal: AbortSignal.any([signal, head.signal]) });
    const isRedirect = status >= 300 && status < 400;
    const waitMs = ok || isRedirect ? null : retryAfterMs(headers, now());
    return { problem: ok ? null : isRedirect ? 'redirect' : 'status', answerStatus: status, waitMs };
  } catch (error) {
    return { problem: problemOf(error), answerStatus: null };
  } finally {
    head.abort();
  }
}

function problemOf(error: unknown): DeliveryProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof HostRefused) return 'host';
  if (proxyTrouble(error) !== null) return 'proxy';
  if (code === 'ETIMEDOUT') return 'timeout';
  return isUntrustedCertificate(code) ? 'certificate' : 'unreachable';
}
