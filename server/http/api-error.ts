import type { ErrorBody, ErrorCode } from '../../contract/errors.ts';

export const statusOfCode = {
  bad_request: 400,
  not_json: 400,
  not_utf8: 400,
  unauthorized: 401,
  token_expired: 401,
  invalid_credentials: 401,
  forbidden: 403,
  key_not_allowed: 403,
  account_leaving: 403,
  registration_closed: 403,
  not_found: 404,
  email_taken: 409,
  conflict: 409,
  too_many_keys: 409,
  slug_taken: 409,
  too_many_teams: 409,
  too_many_triggers: 409,
  team_changed: 409,
  canvas_stale: 409,
  illegal_state: 409,
  no_later_step: 409,
  work_gone: 409,
  question_answered: 409,
  question_withdrawn: 409,
  idempotency_mismatch: 409,
  input_sealed: 409,
  publish_conflict: 409,
  tool_changed: 409,
  connection_used: 409,
  version_removed: 410,
  fork_refused: 409,
  link_withdrawn: 410,
  link_expired: 410,
  too_large: 413,
  too_complex: 413,
  unsupported_media_type: 415,
  password_weak: 422,
  input_refused: 422,
  publish_refused: 422,
  tools_refused: 422,
  hook_refused: 422,
  connection_refused: 422,
  pipeline_empty: 422,
  quota_reached: 422,
  model_failed: 422,
  too_many_requests: 429,
  too_many_bodies: 429,
  too_many_runs: 429,
  team_busy: 429,
  internal: 500,
  busy: 503,
  unavailable: 503,
  model_unavailable: 503,
  storage_full: 507,
} as const satisfies Record<ErrorCode, number>;

export type ApiErrorOptions = {
  /** The message for the user, if it says more than the sentence of the code. */
  sentence?: string;
  /** Values for the placeholders of the code's sentence. */
  params?: Record<string, string | number>;
  errors?: ErrorBody['errors'];
  details?: ErrorBody['details'];
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** An expected failure of a call. The code decides the status, and the caller's language decides the sentence. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly options: ApiErrorOptions;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(code, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return statusOfCode[this.code];
  }
}
