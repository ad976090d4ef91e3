import type { ConnectionState, WorkspaceState } from '../../../model/workspace-state.ts';

type ConnectionDisplayState = ConnectionState['realtime'] | 'offline' | 'silent';

/** Returns the state of the connection: a silent engine and an unreachable server take precedence over the live channel. */
export function connectionDisplayState({ engine, connection }: Pick<WorkspaceState, 'engine' | 'connection'>): ConnectionDisplayState {
  if (engine === 'silent') return 'silent';
  return connection.online ? connection.realtime : 'offline';
}
