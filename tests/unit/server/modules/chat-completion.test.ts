import { expect, test } from 'vitest';
import { modelErrorCodes } from '../../../../contract/errors.ts';
import { ApiError } from '../../../../server/http/api-error.ts';
import { toChatCompletion } from '../../../../server/modules/commands/chat-completion.ts';
import type { CommandRow } from '../../../../server/modules/commands/rows.ts';

/** What a caller is told of a command that failed with this code. */
function toldOf(code: string): unknown {
  try {
    toChatCompletion({ id: 'a', status: 'failed', error: { code, message: 'It failed.' } } as CommandRow);
  } catch (error) {
    if (error instanceof ApiError) return [error.code, error.options.retryAfterSeconds];
    throw error;
  }
  return null;
}

test('W7.03 a caller is told to come again where the model server is away or slow, or this server is full, and else that the call failed', () => {
  const passing = ['model_rate_limited', 'model_unavailable', 'model_unreachable', 'model_timeout', 'step_timeout', 'answers_too_large'];
  for (const code of modelErrorCodes)
    expect([code, toldOf(code)]).toEqual([code, passing.includes(code) ? ['model_unavailable', 10] : ['model_failed', undefined]]);
  expect(toldOf('internal')).toEqual(['internal', undefined]);
});
