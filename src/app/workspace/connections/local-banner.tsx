import { Suspense } from 'react';
import { createPortal } from 'react-dom';
import { Laptop } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { Banner } from '../banners/banner.tsx';
import { bannersId } from '../banners/banners.tsx';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { LocalServerOffer } from './local-servers.tsx';
import { useConnections } from './use-connections.ts';
import { useLocalServers } from './use-local-servers.ts';

/** Offers servers of models that run on this computer, over the canvas, on a page of this computer. */
export function LocalBanner() {
  const { account, readOnly } = useWorkspaceContext();
  const place = document.getElementById(bannersId);
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);
  const offers = (
    <Suspense fallback={null}>
      <Offers />
    </Suspense>
  );
  return place && isHere && account && !readOnly && createPortal(offers, place);
}

/** The connections are read only where a server was found. The offer waits while a run is under way, and where it would cover a panel. */
function Offers() {
  const { mobile } = useWorkspaceContext();
  const { panels, show } = usePanels();
  const isRunning = useWorkspace(({ run }) => run.phase !== 'stopped');
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { isFound, offered, dismiss } = useLocalServers();
  const connections = useConnections(isFound ? projectId : null).value;
  const hasSheet = panels.console !== 'closed' || panels.history || panels.versions || panels.sidebar;
  // The window offers them itself.
  const isElsewhere = panels.window?.kind === 'connections' || panels.console === 'full' || (mobile && hasSheet);
  if (connections === null || isRunning || isElsewhere) return null;
  return offered(connections).map((server) => (
    <Banner key={server.address} icon={<Laptop size={17} aria-hidden />} role="status">
      <LocalServerOffer
        {...{ server, connections, dismiss }}
        onConnected={(connectionId) => show({ window: { kind: 'connections', connectionId } })}
      />
    </Banner>
  ));
}
