import { z } from 'zod';
import { createScrubber } from '../egress/scrubber.ts';
import type { ModelFailure } from './language-model.ts';

/** The longest wait that is read of another server (ms): a day. The time of a step or command is shorter, and limits it. */
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/** Classifies a failed model call: by the caller's abort, the HTTP status, or the socket's error. */
export function failureOfError(error: unknown, signal: AbortSignal, secret: string | null): ModelFailure {
  if (signal.aborted) return { code: 'aborted', transient: false };
  const causes = chain(error);
  const status = causes.map((cause) => cause.statusCode).find((value): value is number => typeof value === 'number' && value >= 400);
  const answer = causes.find((cause) => cause.statusCode !== undefined);
  if (status !== undefined) return failureOfStatus(status, answer?.responseHeaders ?? {}, detailOf(answer, secret));

  const code = causes.map((cause) => cause.code).find((value): value is string => typeof value === 'string');
  if (code === 'EHOSTREFUSED') return { code: 'model_host_refused', transient: false };
  if (code === 'ETIMEDOUT') return { code: 'model_timeout', transient: false };
  if (code === 'EANSWERSTOOLARGE') return { code: 'answers_too_large', transient: true };
  if (code === 'EANSWERTOOLONG') return { code: 'model_answer_too_long', transient: false };
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return { code: 'model_unavailable', transient: true };
  if (code !== undefined && untrusted.test(code)) return { code: 'model_untrusted', transient: false };
  if (code !== undefined && /^(E[A-Z]+|ERR_(TLS|SSL)_\w+)$/.test(code)) return { code: 'model_unreachable', transient: passing.test(code) };
  const spoken = spokenError(error);
  if (spoken !== null) return { code: 'model_unavailable', transient: true, detail: redact(spoken, secret) };
  return { code: 'model_bad_answer', transient: false };
}

/** Error codes of certificates that are untrusted, expired, or issued for another host. */
const untrusted = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|(?:INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$)/;

/** Error codes of a host that cannot be reached. */
const passing = /^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/;

/** Returns why a completed answer is unusable, or null when it is usable. */
export function failureOfFinish(reason: string, text: string, callsTools: boolean): ModelFailure | null {
  if (reason === 'content-filter') return { code: 'model_rejected', transient: false };
  if (reason === 'interrupted' || reason === 'error') return truncatedFailure(text);
  return text.trim() === '' && !callsTools ? { code: 'model_empty_answer', transient: false } : null;
}

/** An answer that was cut short is worth a retry; an empty answer has its own code. */
export function truncatedFailure(text: string): ModelFailure {
  return text === '' ? { code: 'model_empty_answer', transient: false } : { code: 'model_unavailable', transient: true };
}

function failureOfStatus(status: number, headers: Record<string, string>, detail: string | undefined): ModelFailure {
  const base = { status, ...(detail ? { detail } : {}) };
  if (status === 401 || status === 403) return { ...base, code: 'model_unauthorized', transient: false };
  if (status === 429 || status === 503) {
    const wait = retryAfterMs(headers['retry-after']);
    const code = status === 429 ? 'model_rate_limited' : 'model_unavailable';
    return { ...base, code, transient: true, ...(wait === null ? {} : { retryAfterMs: wait }) };
  }
  if (status >= 500) return { ...base, code: 'model_unavailable', transient: true };
  if (status === 408) return { ...base, code: 'model_timeout', transient: false };
  const refusesTools = /\b(?:tools?|functions?)\b/i.test(detail ?? '');
  return { ...base, code: refusesTools ? 'model_refuses_tools' : 'model_rejected', transient: false };
}

/** Parses `Retry-After`, in seconds or as a date; null when absent or unreadable. */
function retryAfterMs(value: string | undefined): number | null {
  if (value === undefined) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : null;
}

type Cause = { code?: unknown; statusCode?: unknown; responseHeaders?: Record<string, string>; responseBody?: unknown; cause?: unknown };

function chain(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let at = error; typeof at === 'object' && at !== null && causes.length < 8; at = (at as Cause).cause) causes.push(at as Cause);
  return causes;
}

/** The message of a provider's `{ error: { message } }`, or of similar forms. */
function detailOf(answer: Cause | undefined, secret: string | null): string | undefined {
  const parsed = saying.safeParse(parse(answer?.responseBody));
  if (!parsed.success) return undefined;
  const { error, message, detail } = parsed.data;
  const said = typeof error === 'string' ? error : (error?.message ?? message ?? detail);
  return said ? redact(said, secret) : undefined;
}

const sentence = z.string().nullish().catch(undefined);
const saying = z.object({
  error: z
    .union([z.string(), z.object({ message: sentence })])
    .nullish()
    .catch(undefined),
  message: sentence,
  detail: sentence,
});

function parse(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

/** A provider's error in the middle of a stream is plain text or `{ message }`. */
function spokenError(error: unknown): string | null {
  if (typeof error === 'string') return error;
  if (error instanceof Error || typeof error !== 'object' || error === null) return null;
  const message = (error as { message?: unknown }).message;
  return typeof message === 'string' ? message : null;
}

const detailLength = 300;

/**
 * Removes the key, and anything that looks like a key, from a provider's message. The result can be stored, wherever the text was
 * cut.
 */
function redact(text: string, secret: string | null): string {
  return createScrubber(secret === null ? [] : [secret])
    .text(text)
    .replace(/\b(sk|pk|key|token)[-_][\w*.-]{6,}/gi, '***')
    .replace(/\b(Bearer|Api-Key)\s+\S+/gi, '$1 ***')
    .replace(/\/\/[^/\s@]*@/g, '//***@')
    .replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, detailLength)
    .toWellFormed();
}
