import { retryOnce } from '../../../async/retry-once.ts';
import type { EngineContext } from './engine-context.ts';

/** The wait before a part is requested once more (ms). */
const retryMs = 1_000;

/** Loads a part of the worker with a dynamic import, which is tried twice. Null if it does not come. */
export function loadPart<T>(
  { environment, signal }: Pick<EngineContext, 'environment' | 'signal'>,
  load: () => Promise<T>,
): Promise<T | null> {
  const attempt = (): Promise<T | null> => load().catch(() => null);
  return retryOnce(attempt, { waitMs: (loaded) => (loaded ? null : retryMs), later: environment.later, signal });
}
