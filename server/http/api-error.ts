import type { ErrorBody, ErrorCode } from '../../contract/errors.ts';

/**
 * Each code with the status of its answer. `passes`: what refuses the call ends by itself, or by another act of the account, so the same call may succeed
 * later. A program that acts for the user waits and tries again, or lets its caller do so: it never takes such a refusal as the end.
 */
export const codes = {
  bad_request: { status: 400, passes: false },
  not_json: { status: 400, passes: false },
  not_utf8: { status: 400, passes: false },
  unauthorized: { status: 401, passes: false },
  token_expired: { status: 401, passes: false },
  invalid_credentials: { status: 401, passes: false },
  forbidden: { status: 403, passes: false },
  key_not_allowed: { status: 403, passes: false },
  account_leaving: { status: 403, passes: false },
  registration_closed: { status: 403, passes: false },
  not_found: { status: 404, passes: false },
  email_taken: { status: 409, passes: false },
  conflict: { status: 409, passes: false },
  too_many_keys: { status: 409, passes: false },
  slug_taken: { status: 409, passes: false },
  too_many_teams: { status: 409, passes: false },
  too_many_triggers: { status: 409, passes: false },
  team_changed: { status: 409, passes: false },
  canvas_stale: { status: 409, passes: false },
  illegal_state: { status: 409, passes: false },
  no_later_step: { status: 409, passes: false },
  work_gone: { status: 409, passes: false },
  question_answered: { status: 409, passes: false },
  question_withdrawn: { status: 409, passes: false },
  idempotency_mismatch: { status: 409, passes: false },
  input_sealed: { status: 409, passes: false },
  publish_conflict: { status: 409, passes: false },
  tool_changed: { status: 409, passes: false },
  connection_used: { status: 409, passes: false },
  version_removed: { status: 410, passes: false },
  fork_refused: { status: 409, passes: false },
  link_withdrawn: { status: 410, passes: false },
  link_expired: { status: 410, passes: false },
  too_large: { status: 413, passes: false },
  too_complex: { status: 413, passes: false },
  unsupported_media_type: { status: 415, passes: false },
  password_weak: { status: 422, passes: false },
  input_refused: { status: 422, passes: false },
  publish_refused: { status: 422, passes: false },
  tools_refused: { status: 422, passes: false },
  hook_refused: { status: 422, passes: false },
  connection_refused: { status: 422, passes: false },
  pipeline_empty: { status: 422, passes: false },
  quota_reached: { status: 422, passes: true },
  model_failed: { status: 422, passes: false },
  too_many_requests: { status: 429, passes: true },
  too_many_bodies: { status: 429, passes: true },
  too_many_runs: { status: 429, passes: true },
  team_busy: { status: 429, passes: true },
  internal: { status: 500, passes: false },
  busy: { status: 503, passes: true },
  unavailable: { status: 503, passes: true },
  model_unavailable: { status: 503, passes: true },
  storage_full: { status: 507, passes: true },
} as const satisfies Record<ErrorCode, { status: number; passes: boolean }>;

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
    return codes[this.code].status;
  }

  /** Whether the same call may succeed later. */
  get passes(): boolean {
    return codes[this.code].passes;
  }
}

/** Returns what was looked up. Throws `not_found` where there is none. */
export function orNotFound<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ApiError('not_found');
  return value;
}
