import type { ServerTool } from '../../../../contract/tool-server.ts';
import { everyPage } from '../../../model/every-page.ts';
import { type RemoteData, useLoad } from '../../server-data/use-read.ts';

/** The tools of a project, or those of one of its servers; read again when `when` changes. */
export function useTools(projectId: string | null, query: { serverId?: string } = {}, when?: string): RemoteData<ServerTool[]> {
  const params = { id: projectId ?? '' };
  return useLoad(
    'toolServer.tools',
    projectId === null ? null : { params, query },
    (call) => everyPage((page) => call('toolServer.tools', { params, query: { ...page, ...query } })),
    { when },
  );
}
