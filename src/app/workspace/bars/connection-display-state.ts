import type { ConnectionState } from '../../../model/workspace-state.ts';

export type ConnectionDisplayState = ConnectionState['realtime'] | 'offline';

/** Returns the state of the connection: an unreachable server takes precedence over the live channel. */
export function connectionDisplayState(connection: ConnectionState): ConnectionDisplayState {
  return connection.online ? connection.realtime : 'offline';
}
