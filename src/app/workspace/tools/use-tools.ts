import type { ServerTool } from '../../../../contract/tool-server.ts';
import { everyPage } from '../../../model/every-page.ts';
import { type RemoteData, useAnswer } from '../lists/use-remote-data.ts';

/** The tools of a project, or those of one of its servers; loaded while `key` is not null, and again when it changes. */
export function useTools(
  projectId: string | null,
  query: { serverId?: string },
  key: string | null,
  subject?: string | null,
): RemoteData<ServerTool[]> {
  return useAnswer(
    (call) => everyPage((page) => call('toolServer.tools', { params: { id: projectId ?? '' }, query: { ...page, ...query } })),
    key,
    subject,
  );
}
