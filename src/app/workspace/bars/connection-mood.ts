import type { ConnectionState } from '../../../model/workspace-state.ts';

export type ConnectionMood = ConnectionState['realtime'] | 'offline';

/** What to say of the connection in one word: an unreachable server outweighs the state of the live channel. */
export function connectionMood(connection: ConnectionState): ConnectionMood {
  return connection.online ? connection.realtime : 'offline';
}
