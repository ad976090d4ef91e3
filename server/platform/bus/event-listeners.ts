import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { Bus, BusMessage } from './bus.ts';

type Listener = (event: ExecutionEvent) => void;

/** Keeps who listens to the events that this process publishes. `tell` is called with each of its messages. */
export function createEventListeners(): Pick<Bus, 'onEvent'> & { tell: (message: BusMessage) => void } {
  const listeners = new Map<ExecutionEvent['type'], Listener[]>();
  return {
    onEvent(types, listener) {
      for (const type of types) listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    tell(message) {
      if (message.type !== 'pipeline_update') return;
      for (const listener of listeners.get(message.event.type) ?? []) listener(message.event);
    },
  };
}
