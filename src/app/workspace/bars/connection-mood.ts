import type { ConnectionState } from '../../../model/workspace-state.ts';

export type ConnectionMood = ConnectionState['realtime'] | 'offline';

/** Returns the state of the connection: an unreachable server takes precedence over the live channel. */
export function connectionMood(connection: ConnectionState): ConnectionMood {
  return connection.online ? connection.realtime : 'offline';
}
