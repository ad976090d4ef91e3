import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useCall, useChange } from '../../workers/bridge/use-workspace.ts';
import { ServerData } from './server-data.ts';

export const ServerDataContext = createContext<ServerData | null>(null);

/** Provides the data of the server of a workspace, which is read and changed through its engine. */
export function WorkspaceData({ children }: { children: ReactNode }) {
  const call = useCall();
  const change = useChange();
  return <ServerDataContext value={useMemo(() => new ServerData(call, change), [call, change])}>{children}</ServerDataContext>;
}

export function useServerData(): ServerData {
  const data = useContext(ServerDataContext);
  if (!data) throw new Error('No data of a server above this component');
  return data;
}
