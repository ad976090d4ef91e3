import PQueue from 'p-queue';
import type { ModelAdapter } from './language-model.ts';

/** Limits an adapter whose calls use `key`: an account's key of a provider, or what stands for it. */
export type CallLimits = (adapter: ModelAdapter, key: string) => ModelAdapter;

/**
 * Lets at most `atOnce` calls of one key run at the same time in this process; further ones wait, in the order of their arrival. A call that is
 * aborted while it waits ends with `aborted`, and never reaches the provider.
 */
export function createCallLimits(atOnce: number): CallLimits {
  /** The queues of keys with calls. */
  const queues = new Map<string, PQueue>();

  const queueOf = (key: string): PQueue => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: atOnce });
    queue.on('idle', () => queues.delete(key));
    queues.set(key, queue);
    return queue;
  };

  return (adapter, key) => ({
    ...adapter,
    async converse(conversation, signal, onText, onWait) {
      const queue = queueOf(key);
      const waits = queue.pending >= atOnce;
      if (waits) onWait?.(true);
      const call = () => {
        if (waits) onWait?.(false);
        return adapter.converse(conversation, signal, onText);
      };
      try {
        return await queue.add(call, { signal });
      } catch (error) {
        if (signal.aborted) return { ok: false, error: { code: 'aborted', transient: false } };
        throw error;
      }
    },
  });
}
