import { useRead } from '../../server-data/use-read.ts';

/** Returns the connections that agents of a project may use; none are read for null. They are read again after each change on this page. */
export function useConnections(projectId: string | null) {
  return useRead('modelConnection.list', projectId ? { query: { projectId } } : null);
}
