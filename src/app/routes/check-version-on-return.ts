import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { checkVersion } from '../../ui/new-version.ts';

/**
 * Asks for a newer client each time the socket or the server comes back: a server that was restarted may have one. Returns the function that ends
 * this. G8.32
 */
export function checkVersionOnReturn(store: WorkspaceStore, check: () => Promise<void> = checkVersion): () => void {
  let before = store.getState().connection;
  let hadSocket = before.realtime === 'connected';
  return store.subscribe(({ connection }) => {
    const hasSocket = connection.realtime === 'connected';
    const isSocketBack = hadSocket && hasSocket && before.realtime !== 'connected';
    const isServerBack = connection.online && !before.online;
    before = connection;
    hadSocket ||= hasSocket;
    if (isSocketBack || isServerBack) void check();
  });
}
