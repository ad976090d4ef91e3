import type { ErrorBody } from '../../contract/errors.ts';

/** Failures that no server answered with: it was not reached, did not answer in time, answered what nobody understands, or the caller gave up. */
export type LocalFailure = 'network' | 'timeout' | 'bad_answer' | 'aborted';

export type ApiErrorFields = {
  /** The HTTP status; 0 where there was no answer. */
  status: number;
  /** A code of the contract, one of the client's own, or `http` for an answer without a code. */
  code: string;
  message: string;
  errors?: ErrorBody['errors'];
  requestId?: string | null;
  details?: ErrorBody['details'];
  /** From `Retry-After`. */
  retryAfterMs?: number | null;
  cause?: unknown;
};

/** A call that did not succeed. `message` is the server's, else "HTTP {status}: {statusText}". P8.01 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: NonNullable<ErrorBody['errors']>;
  readonly requestId: string | null;
  readonly details: NonNullable<ErrorBody['details']>;
  readonly retryAfterMs: number | null;

  constructor({ status, code, message, errors = [], requestId = null, details = {}, retryAfterMs = null, cause }: ApiErrorFields) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}
