import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Bus } from './bus.ts';

/** The same bus; each watcher is told each message that this process publishes. */
export function watchedBus(bus: Bus, watchers: readonly ((message: ServerMessage) => void)[]): Bus {
  return {
    ...bus,
    publish(userId, message) {
      for (const watcher of watchers) watcher(message);
      bus.publish(userId, message);
    },
  };
}
