import type { ChatCompletion } from '../../../contract/command.ts';
import { ApiError } from '../../http/api-error.ts';
import { isFailureOf } from '../../platform/llm/kinds-of-failure.ts';
import type { CommandRow } from './rows.ts';

const retryDelaySeconds = 10;

/** Returns an ended command in OpenAI's format. Throws `illegal_state` for a cancelled one, else its failure. */
export function toChatCompletion(row: CommandRow): ChatCompletion {
  const { id, status, error, result, usage } = row;
  if (status === 'failed' && error !== null) {
    const about = { sentence: error.message, details: { commandId: id, failure: error.code } };
    if (error.code === 'internal') throw new ApiError('internal', about);
    throw isFailureOf(error.code, ['away', 'slow', 'here'])
      ? new ApiError('model_unavailable', { ...about, retryAfterSeconds: retryDelaySeconds })
      : new ApiError('model_failed', about);
  }
  if (status !== 'completed') throw new ApiError('illegal_state', { details: { status, commandId: id } });
  return {
    id,
    commandId: id,
    object: 'chat.completion',
    created: Math.floor(row.createdAt.getTime() / 1_000),
    model: row.model ?? '',
    choices: [{ index: 0, message: { role: 'assistant', content: result ?? '' }, finish_reason: row.finish ?? 'stop' }],
    usage: usage && { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens, total_tokens: usage.totalTokens },
    simulated: row.simulated,
  };
}
