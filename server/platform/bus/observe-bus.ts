import type { Bus, BusMessage } from './bus.ts';

/** Wraps a bus so that each watcher receives each message that this process publishes. */
export function observeBus(bus: Bus, watchers: readonly ((message: BusMessage) => void)[]): Bus {
  return {
    ...bus,
    publish(userId, message) {
      for (const watcher of watchers) watcher(message);
      bus.publish(userId, message);
    },
  };
}
