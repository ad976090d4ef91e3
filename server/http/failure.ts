import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody, ErrorCode } from '../../contract/errors.ts';
import { AccountExhausted } from '../platform/database/account-turns.ts';
import { isOutage } from '../platform/database/retry-on-outage.ts';
import { ApiError } from './api-error.ts';
import type { Language } from './call.ts';
import { isServerText, languageOf, translate } from './language.ts';

/** PostgreSQL's codes for values that it cannot store: a NUL character, a value out of range, a text that is too long or malformed. */
const unstorable = new Set(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05']);
/** The code for a row whose parent was removed by another call. */
const orphaned = '23503';
const full = new Set(['53100', 'ENOSPC']);

/** Returns the expected failure behind a thrown value; `internal` when there is none. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (cause instanceof ApiError) return cause;
    if (cause instanceof AccountExhausted) return new ApiError('too_many_requests', { retryAfterSeconds: 2, cause: error });
    if (typeof code === 'string') {
      if (unstorable.has(code)) return new ApiError('bad_request', { cause: error });
      if (code === orphaned) return new ApiError('not_found', { cause: error });
      if (full.has(code)) return new ApiError('storage_full', { cause: error });
      const known = ofFastify(code, cause);
      if (known) return known;
    }
  }
  if (isOutage(error)) return new ApiError('unavailable', { retryAfterSeconds: 2, cause: error });
  if (isOfClient(error)) return new ApiError('bad_request', { cause: error });
  return new ApiError('internal', { cause: error });
}

/** Whether a library marks an error as the caller's fault. */
function isOfClient(error: unknown): boolean {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' && status >= 400 && status < 500;
}

function ofFastify(code: string, error: Error): ApiError | null {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('not_json', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', { cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('too_large', { cause: error });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_STATIC_FORBIDDEN_PATH':
      return new ApiError('not_found', { cause: error });
    default:
      return null;
  }
}

/** Sends the error body, and logs the details that only an operator may read. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = toApiError(error);
  if (fault.code === 'internal') request.log.error({ err: error }, 'A call failed unexpectedly');
  else if (fault.code === 'unavailable') request.log.warn({ err: error }, 'A call could not reach the database');
  const language = languageOf(request.headers['accept-language']);
  const { errors, details, retryAfterSeconds } = fault.options;
  const body: ErrorBody = {
    message: failureSentence(language, fault, request.routeOptions.bodyLimit),
    code: fault.code,
    ...(errors && { errors }),
    requestId: request.id,
    ...(details && { details }),
  };
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  return reply
    .status(fault.status)
    .header('cache-control', 'no-store')
    .header('content-language', language)
    .type('application/json; charset=utf-8')
    .send(body);
}

/** Returns the sentence of a failure for its reader. */
export function failureSentence(language: Language, fault: ApiError, bodyLimit = 0): string {
  const { sentence, params = {}, details, retryAfterSeconds } = fault.options;
  const limit = `${Math.round(bodyLimit / 1024 / 1024)} MiB`;
  const status = statusText(language, details?.status);
  const known = sentence ?? reasonText(language, fault);
  return known ?? translate(language, fault.code, { seconds: retryAfterSeconds ?? 0, limit, status, ...params });
}

/** The texts of failures that tell a reason. */
const reasonAreas: Partial<Record<ErrorCode, string>> = {
  input_refused: 'input',
  publish_refused: 'publish',
  publish_conflict: 'publish',
  tools_refused: 'tools',
  hook_refused: 'hook',
  quota_reached: 'quota',
  connection_refused: 'connection',
  unauthorized: 'api_key',
  not_found: 'team',
};

/** The sentence for the reason of a failure; null for a failure without one. */
function reasonText(language: Language, { code, options: { details, params = {} } }: ApiError): string | null {
  const text = `${reasonAreas[code]}.${String(details?.reason ?? '')}`;
  return isServerText(text) ? translate(language, text, params) : null;
}

function statusText(language: Language, status: unknown): string {
  const text = `status.${String(status ?? '')}`;
  return isServerText(text) ? translate(language, text) : String(status ?? '');
}
