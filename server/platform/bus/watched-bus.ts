import type { ServerMessage } from '../../../contract/realtime.ts';
import type { Bus } from './bus.ts';

/** The same bus; `onPublished` is told each message that this process publishes. */
export function watchedBus(bus: Bus, onPublished: (message: ServerMessage) => void): Bus {
  return {
    ...bus,
    publish(userId, message) {
      onPublished(message);
      bus.publish(userId, message);
    },
  };
}
