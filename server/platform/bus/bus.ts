import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import type { ServerMessage } from '../../../contract/realtime.ts';

/** Messages about one user: those that the user's clients receive, and those that only servers handle. */
export type BusMessage = ServerMessage | ServerOnlyMessage;

/** `texts_wanted`: a new listener needs the streaming texts from their beginning. */
type ServerOnlyMessage = { type: 'session_ended'; sessionId: string } | { type: 'texts_wanted' };

/**
 * Publishes messages of one user to all current subscribers, on any node. Messages are not stored, and delivery is not guaranteed: a
 * subscriber that misses one reads the database.
 */
export type Bus = {
  publish: (userId: string, message: BusMessage) => void;
  /** Calls `listener` with each later message of the user, in the order of each publisher. Returns the function to unsubscribe. */
  subscribe: (userId: string, listener: (message: BusMessage) => void) => () => void;
  /** Calls `listener` with each event of these types that this process publishes, of all users. Each is published once, after it is stored. */
  onEvent: (types: readonly ExecutionEvent['type'][], listener: (event: ExecutionEvent) => void) => void;
  state: () => { mode: 'embedded' | 'nats'; connected: boolean };
  close: () => Promise<void>;
};

/** The subject of a user's messages. */
export function subjectOf(userId: string): string {
  return `artel.user.${userId}`;
}
