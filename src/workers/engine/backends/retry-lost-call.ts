import { retryOnce } from '../../../../async/retry-once.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Answer } from './port.ts';

const retryAfterMs = 1_000;

/**
 * Retries a call once if its answer was lost, after the time that the server requested, else a second. Both calls must carry the same
 * idempotency key, so that the server acts once.
 */
export function retryLostCall<T>(
  { environment, signal }: Pick<EngineContext, 'environment' | 'signal'>,
  call: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  return retryOnce(call, {
    waitMs: (answer) => (answer.ok || answer.fault.kind !== 'unreachable' ? null : (answer.fault.retryAfterMs ?? retryAfterMs)),
    later: environment.later,
    signal,
  });
}
