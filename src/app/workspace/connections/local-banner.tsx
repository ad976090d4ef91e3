import { Laptop } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { Banner } from '../banners/banner.tsx';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { usePanels } from '../panels.tsx';
import { LocalServerOffer } from './local-servers.tsx';
import { useLocalServers } from './use-local-servers.ts';

/** Offers servers of models that run on this computer, over the canvas. The connections are read only where one was found. */
export function LocalBanner() {
  const { panels, show } = usePanels();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { isFound, offered, dismiss } = useLocalServers();
  const connections = useRemoteData('listConnections', [projectId ?? ''], isFound ? projectId : null).value;
  // The window offers them itself.
  if (connections === null || panels.window?.kind === 'connections') return null;
  return offered(connections).map((server) => (
    <Banner key={server.address} icon={<Laptop size={17} aria-hidden />} role="status">
      <LocalServerOffer
        {...{ server, connections, dismiss }}
        onConnected={(connectionId) => show({ window: { kind: 'connections', connectionId } })}
      />
    </Banner>
  ));
}
