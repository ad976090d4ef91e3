import type { ServerMessage } from '../../../contract/realtime.ts';

/**
 * Tells the living, now: messages for one user to everybody who listens on their behalf, on any node.
 * Nothing is kept and nothing is promised; whoever misses a message reads the database.
 */
export type Bus = {
  publish: (userId: string, message: ServerMessage) => void;
  /** Calls `listener` with each later message for the user, in the order of one publisher. Returns the way to stop it. */
  subscribe: (userId: string, listener: (message: ServerMessage) => void) => () => void;
  state: () => { mode: 'embedded' | 'nats'; connected: boolean };
  close: () => Promise<void>;
};
