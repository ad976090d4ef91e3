import { z } from 'zod';

/** Codes of failed calls. The client's locales have a sentence for each, which takes precedence over the server's `message`. */
export const errorCodes = [
  'bad_request',
  'not_json',
  'not_utf8',
  'unauthorized',
  'token_expired',
  'invalid_credentials',
  'forbidden',
  'key_not_allowed',
  'too_many_keys',
  'slug_taken',
  'too_many_teams',
  'too_many_triggers',
  'team_busy',
  'account_leaving',
  'registration_closed',
  'not_found',
  'email_taken',
  'password_weak',
  'conflict',
  'canvas_stale',
  'version_removed',
  'team_changed',
  'illegal_state',
  'no_later_step',
  'work_gone',
  'question_answered',
  'question_withdrawn',
  'link_withdrawn',
  'link_expired',
  'idempotency_mismatch',
  'input_refused',
  'input_sealed',
  'publish_refused',
  'publish_conflict',
  'tools_refused',
  'hook_refused',
  'tool_changed',
  'connection_refused',
  'connection_used',
  'fork_refused',
  'too_large',
  'too_complex',
  'unsupported_media_type',
  'too_many_requests',
  'too_many_bodies',
  'too_many_runs',
  'pipeline_empty',
  'model_failed',
  'model_unavailable',
  'storage_full',
  'quota_reached',
  'busy',
  'unavailable',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Codes of failed model calls, in the `error` of a step. */
export const modelErrorCodes = [
  'model_unauthorized',
  'model_rate_limited',
  'model_unavailable',
  'model_bad_answer',
  'model_answer_too_long',
  'run_answers_too_long',
  'prompt_too_long',
  'answers_too_large',
  'model_empty_answer',
  'model_rejected',
  'model_not_found',
  'model_declined',
  'model_quota_spent',
  'model_thought_only',
  'model_refuses_tools',
  'prompt_over_window',
  'model_unreachable',
  'model_untrusted',
  'model_timeout',
  'model_host_refused',
  'model_not_configured',
  'model_folder_missing',
  'model_key_unreadable',
  'model_owner_unverified',
  'model_budget_spent',
  'model_server_budget_spent',
  'budget_reached',
  'step_timeout',
  'execution_timeout',
  'tool_failed',
  // Of runs from before steps asked at their last turn and call.
  'tool_turns_exceeded',
  'tool_calls_exceeded',
  'choice_missing',
  'question_expired',
  'list_missing',
  'list_too_long',
  'loop_limit',
  'too_many_steps',
  'attempts_exhausted',
  'aborted',
] as const;
export type ModelErrorCode = (typeof modelErrorCodes)[number];

const fieldError = z.object({ path: z.string(), message: z.string() });

/** The one error body of every call. `message` is a sentence in the language of `Accept-Language`. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(errorCodes),
  errors: z.array(fieldError).optional(),
  requestId: z.string(),
  /** Data for the caller: the state that forbids a call, the current canvas of a stale save. */
  details: z.record(z.string(), z.unknown()).optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Why a step or an execution failed. */
export const failure = z.object({ code: z.enum(modelErrorCodes).or(z.literal('internal')), message: z.string() });
export type Failure = z.infer<typeof failure>;
