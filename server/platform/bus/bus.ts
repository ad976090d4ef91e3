import type { ServerMessage } from '../../../contract/realtime.ts';

/** What servers tell each other of one user: what the user's clients hear too, and what only servers act on. */
export type BusMessage = ServerMessage | ServerOnlyMessage;

/** `texts_wanted`: a listener needs the texts under way from their beginning. */
type ServerOnlyMessage = { type: 'session_ended'; sessionId: string } | { type: 'texts_wanted' };

/**
 * Tells the living, now: messages for one user to everybody who listens on their behalf, on any node.
 * Nothing is kept and nothing is promised; whoever misses a message reads the database.
 */
export type Bus = {
  publish: (userId: string, message: BusMessage) => void;
  /** Calls `listener` with each later message for the user, in the order of one publisher. Returns the way to stop it. */
  subscribe: (userId: string, listener: (message: BusMessage) => void) => () => void;
  state: () => { mode: 'embedded' | 'nats'; connected: boolean };
  close: () => Promise<void>;
};

/** Where a user's messages travel. */
export function subjectOf(userId: string): string {
  return `artel.user.${userId}`;
}
