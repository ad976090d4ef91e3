import type { ModelErrorCode } from '../../../contract/errors.ts';

/**
 * What becomes of the same call later: `away`: its model server does not answer or takes no more for now; `slow`: it did not answer in time; `here`: this server
 * had no time or room for it. The others last.
 */
const kinds = {
  model_unauthorized: 'lasts',
  model_rate_limited: 'away',
  model_unavailable: 'away',
  model_bad_answer: 'lasts',
  model_answer_too_long: 'lasts',
  run_answers_too_long: 'lasts',
  prompt_too_long: 'lasts',
  answers_too_large: 'here',
  model_empty_answer: 'lasts',
  model_rejected: 'lasts',
  model_not_found: 'lasts',
  model_declined: 'lasts',
  model_quota_spent: 'lasts',
  model_region_refused: 'lasts',
  model_forbidden: 'lasts',
  model_bad_call: 'lasts',
  model_thought_only: 'lasts',
  model_refuses_tools: 'lasts',
  prompt_over_window: 'lasts',
  model_unreachable: 'away',
  model_untrusted: 'lasts',
  model_timeout: 'slow',
  model_host_refused: 'lasts',
  model_not_configured: 'lasts',
  model_folder_missing: 'lasts',
  model_key_unreadable: 'lasts',
  model_owner_unverified: 'lasts',
  model_budget_spent: 'lasts',
  model_server_budget_spent: 'lasts',
  budget_reached: 'lasts',
  step_timeout: 'here',
  execution_timeout: 'lasts',
  tool_failed: 'lasts',
  tool_turns_exceeded: 'lasts',
  tool_calls_exceeded: 'lasts',
  choice_missing: 'lasts',
  question_expired: 'lasts',
  list_missing: 'lasts',
  list_too_long: 'lasts',
  loop_limit: 'lasts',
  too_many_steps: 'lasts',
  attempts_exhausted: 'lasts',
  aborted: 'lasts',
} as const satisfies Record<ModelErrorCode, 'away' | 'slow' | 'here' | 'lasts'>;
type KindOfFailure = (typeof kinds)[ModelErrorCode];

/** Whether a failure is of one of these kinds. Failures of calls to this server, such as `internal`, are of none. */
export function isFailureOf(code: string, of: readonly KindOfFailure[]): boolean {
  return Object.hasOwn(kinds, code) && of.includes(kinds[code as ModelErrorCode]);
}
