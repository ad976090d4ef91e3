import { retryOnce } from '../../../../async/retry-once.ts';
import type { CallInput, ResponseTo, Sending } from '../../../../contract/call.ts';
import type { RouteName } from '../../../../contract/routes.ts';
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

/** Makes a call with a new idempotency key, and once more with the same key if its answer was lost: the server acts once. */
export function callOnce<R extends RouteName>(context: EngineContext, route: R, input: CallInput<R>): Promise<Answer<ResponseTo<R>>> {
  const sent = [{ ...input, idempotencyKey: context.environment.newId() }] as unknown as Sending<R>;
  return retryLostCall(context, () => context.backend.call(route, ...sent));
}
