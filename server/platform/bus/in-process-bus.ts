import type { Bus, BusMessage } from './bus.ts';
import { createEventListeners } from './event-listeners.ts';

/** The bus of a single server. */
export function createInProcessBus(): Bus {
  const listeners = new Map<string, Set<(message: BusMessage) => void>>();
  const { onEvent, tell } = createEventListeners();
  return {
    publish(userId, message) {
      tell(message);
      for (const listener of listeners.get(userId) ?? []) listener(message);
    },
    subscribe(userId, listener) {
      const own = listeners.get(userId) ?? new Set();
      listeners.set(userId, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId);
      };
    },
    onEvent,
    state: () => ({ mode: 'embedded', connected: true }),
    close: async () => listeners.clear(),
  };
}
