import type { ErrorBody } from '../../contract/errors.ts';

type ApiErrorFields = {
  /** The HTTP status; 0 without a response. */
  status: number;
  /**
   * A code of the contract, or `http` for a response without one. `network`: the server could not be reached. `timeout`: it did not respond
   * in time. `bad_answer`: it sent a malformed response. `aborted`: the caller cancelled.
   */
  code: string;
  message: string;
  errors?: ErrorBody['errors'];
  requestId?: string | null;
  details?: ErrorBody['details'];
  /** From `Retry-After`. */
  retryAfterMs?: number | null;
  cause?: unknown;
};

/** A failed call. `message` is the server's, else "HTTP {status}: {statusText}". P8.01 */
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
