import { z } from 'zod';
import type { TokenUsage } from '../../../contract/common.ts';
import { createScrubber } from '../egress/scrubber.ts';
import { proxyTrouble } from '../egress/tunnel.ts';
import { isUntrustedCertificate } from '../egress/untrusted-certificate.ts';
import { toldWindow } from './fit/told-window.ts';
import { HttpFailure, titleOf } from './http-failure.ts';
import type { ModelFailure } from './language-model.ts';
import { kindOfRefusal } from './refusals/kind-of-refusal.ts';

/** The longest wait that is read of another server (ms): a day. The time of a step or command is shorter, and limits it. */
const maxRetryAfterMs = 24 * 60 * 60 * 1_000;

/** Classifies a failed model call: by the caller's abort, the HTTP status, or the socket's error. */
export function failureOfError(error: unknown, signal: AbortSignal, secret: string | null): ModelFailure {
  if (signal.aborted) return { code: 'aborted', transient: false };
  const causes = chain(error);
  const answer = causes.find((cause) => cause instanceof HttpFailure);
  if (answer instanceof HttpFailure) {
    const failure = failureOfStatus(answer.statusCode, answer.responseHeaders, detailOf(answer, secret), answer.responseBody);
    return answer.refusesTools ? { ...failure, code: 'model_refuses_tools', transient: false } : failure;
  }
  const trouble = proxyTrouble(error);
  if (trouble !== null) return { ...failureOfSocket(causes), detail: trouble };
  return failureOfSocket(causes);
}

function failureOfSocket(causes: readonly Cause[]): ModelFailure {
  const code = causes.map((cause) => cause.code).find((value): value is string => typeof value === 'string');
  if (code === 'EHOSTREFUSED') return { code: 'model_host_refused', transient: false };
  if (code === 'ETIMEDOUT') return { code: 'model_timeout', transient: false };
  if (code === 'EANSWERSTOOLARGE') return { code: 'answers_too_large', transient: true };
  if (code === 'EANSWERTOOLONG') return { code: 'model_answer_too_long', transient: false };
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return { code: 'model_unavailable', transient: true };
  if (code !== undefined && isUntrustedCertificate(code)) return { code: 'model_untrusted', transient: false };
  if (code !== undefined && /^(E[A-Z]+|ERR_(TLS|SSL)_\w+)$/.test(code)) return { code: 'model_unreachable', transient: passing.test(code) };
  return { code: 'model_bad_answer', transient: false };
}

/** Error codes of a host that cannot be reached. */
const passing = /^(ECONNREFUSED|EPROXYDOWN|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN)$/;

/** Why a whole answer without text or calls is none. `isCut`: its limit ended it, so that thinking has used all of it. */
export function failureOfEmpty(isCut: boolean, reasoning: string, usage: TokenUsage | null): ModelFailure {
  const hasThought = reasoning.trim() !== '' || (usage?.reasoningTokens ?? 0) > 0;
  if (isCut && hasThought) return { code: 'model_thought_only', transient: false };
  return emptyFailure;
}

/** An answer without text or calls. The same call often brings one. */
export const emptyFailure: ModelFailure = { code: 'model_empty_answer', transient: false, isWorthOneMore: true };

/** The model has called a tool in a form that its server could not read: with these words. */
export function badCallFailure(words: string): ModelFailure {
  const detail = redact(words, null);
  return { code: 'model_bad_call', transient: false, isWorthOneMore: true, ...(detail && { detail }) };
}

/** The model, or a filter of its provider, has declined: with these words. */
export function declinedFailure(words: string): ModelFailure {
  const detail = redact(words, null);
  return { code: 'model_declined', transient: false, ...(detail && { detail }) };
}

/** An answer that was cut short is worth a retry; an empty answer has its own code. */
export function truncatedFailure(text: string): ModelFailure {
  return text === '' ? emptyFailure : { code: 'model_unavailable', transient: true };
}

/** Words that mean an account without money, or a limit that passes: such a refusal tells how long. */
const perhapsNoMoney = /(?<![/\w])billing|exceeded your current quota/i;

function failureOfStatus(status: number, headers: Record<string, string>, detail: string | undefined, body: string): ModelFailure {
  const wait = retryAfterMs(headers, body);
  const base = { status, ...(detail ? { detail } : {}), ...(wait === null ? {} : { retryAfterMs: wait }) };
  const kind = kindOfRefusal(status, body);
  const told = status === 400 || status === 413 || status === 422 ? toldWindow(body) : null;
  if (told) {
    const tokens = { needed: told.needed ?? told.window + 1, window: told.window };
    return { ...base, code: 'prompt_over_window', transient: false, tokens };
  }
  if (kind !== null) return { ...base, code: kind, transient: false, ...(kind === 'model_bad_call' && { isWorthOneMore: true }) };
  const isSpent = wait === null && perhapsNoMoney.test(body);
  if (status === 402 || ([400, 403, 429].includes(status) && isSpent)) return { ...base, code: 'model_quota_spent', transient: false };
  if (status === 401 || status === 403) return { ...base, code: 'model_unauthorized', transient: false };
  if (status === 404) return { ...base, code: 'model_not_found', transient: false };
  if (status === 451) return { ...base, code: 'model_region_refused', transient: false };
  if (status === 429) return { ...base, code: 'model_rate_limited', transient: true };
  if (status >= 500) return { ...base, code: 'model_unavailable', transient: true };
  if (status === 408) return { ...base, code: 'model_timeout', transient: false };
  if (status < 400) return { code: 'model_bad_answer', transient: false, ...(detail ? { detail } : {}) };
  return { ...base, code: 'model_rejected', transient: false };
}

/** Parses how long the other side wants to be left alone (ms): by its headers, or by its words. Null when absent or unreadable. */
function retryAfterMs(headers: Record<string, string>, body: string): number | null {
  const value = headers['retry-after'];
  const [, number, unit] = /(?:"retryDelay":\s*"|(?:try again|retry) in )(\d+(?:\.\d+)?)(ms|s)\b/i.exec(body) ?? [];
  const told = [
    Number(headers['retry-after-ms'] || Number.NaN),
    Number(value || Number.NaN) * 1_000,
    Date.parse(value ?? '') - Date.now(),
    Number(number ?? Number.NaN) * (unit === 's' ? 1_000 : 1),
  ].find((ms) => Number.isFinite(ms) && ms >= 0);
  return told === undefined ? null : Math.min(told, maxRetryAfterMs);
}

type Cause = { code?: unknown; cause?: unknown };

function chain(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let at = error; typeof at === 'object' && at !== null && causes.length < 8; at = (at as Cause).cause) causes.push(at as Cause);
  return causes;
}

/** The sentence of a provider's `{ error: { message } }`, of similar forms, of a list of them, or the title of a page. */
function detailOf({ responseBody }: HttpFailure, secret: string | null): string | undefined {
  const parsed = parse(responseBody);
  if (parsed === undefined) return redact(titleOf(responseBody), secret) || undefined;
  const said = saying.safeParse(Array.isArray(parsed) ? parsed[0] : parsed).data;
  if (!said) return undefined;
  const { error, errors, message, detail } = said;
  const inList = Array.isArray(detail) ? detail.map(({ msg }) => msg ?? '').join(' ') : detail;
  const words = typeof error === 'string' ? error : error?.message || errors?.[0]?.message || message || inList;
  return words ? redact(words, secret) : undefined;
}

const sentence = z.string().nullish().catch(undefined);
const saying = z.object({
  error: z
    .union([z.string(), z.object({ message: sentence })])
    .nullish()
    .catch(undefined),
  errors: z
    .array(z.object({ message: sentence }))
    .nullish()
    .catch(undefined),
  message: sentence,
  detail: z
    .union([z.string(), z.array(z.object({ msg: sentence }))])
    .nullish()
    .catch(undefined),
});

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
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
