import { useObserved } from '../../../state/use-observed.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { connectionsVersion } from './connections-version.ts';

/** Returns the connections that agents of a project may use; none are read for null. They are read again after each change on this page. */
export function useConnections(projectId: string | null) {
  const version = useObserved(connectionsVersion, connectionsVersion.get);
  return useRemoteData(
    'modelConnection.list',
    { query: { projectId: projectId ?? '' } },
    projectId && `${projectId} ${version}`,
    projectId,
  );
}
