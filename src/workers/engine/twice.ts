import type { Answer } from './backends/port.ts';
import type { Environment } from './environment.ts';

const retryAfterMs = 1_000;

/**
 * A request whose answer was lost is sent once more with the same key, which does it once; at once when whoever waits for it leaves.
 */
export async function twice<T>(
  { later }: Pick<Environment, 'later'>,
  call: () => Promise<Answer<T>>,
  leaving?: AbortSignal,
): Promise<Answer<T>> {
  const answer = await call();
  if (answer.ok || answer.fault.kind !== 'unreachable') return answer;
  const ms = answer.fault.retryAfterMs ?? retryAfterMs;
  await new Promise<void>((resolve) => {
    if (leaving?.aborted) return resolve();
    const end = () => {
      cancel();
      leaving?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = later(ms, end);
    leaving?.addEventListener('abort', end);
  });
  return call();
}
