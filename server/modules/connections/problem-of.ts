import type { ConnectionProblem } from '../../../contract/model-connection.ts';
import { failureOfError } from '../../platform/llm/classify-failure.ts';
import type { ModelFailure } from '../../platform/llm/language-model.ts';
import { NoModelList, UnknownListForm } from '../../platform/model-lists/read-model-list.ts';
import type { StoredProblem } from './tables.ts';

const reasons: Partial<Record<ModelFailure['code'], ConnectionProblem>> = {
  model_unauthorized: 'unauthorized',
  model_not_found: 'not_found',
  model_rate_limited: 'rate_limited',
  model_quota_spent: 'quota',
  model_region_refused: 'region',
  model_forbidden: 'forbidden',
  model_unavailable: 'unreachable',
  model_unreachable: 'unreachable',
  model_untrusted: 'untrusted',
  model_timeout: 'timeout',
  model_host_refused: 'host',
  model_bad_answer: 'protocol',
  model_answer_too_long: 'too_large',
  answers_too_large: 'too_large',
  model_key_unreadable: 'key_unreadable',
  model_folder_missing: 'folder_missing',
  model_refuses_tools: 'tools',
  model_thought_only: 'thought_only',
  model_empty_answer: 'protocol',
  model_declined: 'declined',
  budget_reached: 'budget',
  model_budget_spent: 'budget',
  model_server_budget_spent: 'budget',
  model_owner_unverified: 'unverified',
};

/** Why a list could not be read, with what the server has said, without the key. */
export function problemOfReading(error: unknown, signal: AbortSignal, apiKey: string | null): StoredProblem {
  if (error instanceof NoModelList) return { reason: 'no_list', detail: '' };
  if (error instanceof UnknownListForm) return { reason: 'protocol', detail: '' };
  if (signal.aborted) return { reason: 'timeout', detail: '' };
  return problemOfFailure(failureOfError(error, signal, apiKey));
}

/** Why a call failed, in the words of connections. */
export function problemOfFailure({ code, status, detail = '' }: ModelFailure): StoredProblem {
  if (status === 404) return { reason: 'not_found', detail };
  return { reason: reasons[code] ?? 'refused', detail };
}
