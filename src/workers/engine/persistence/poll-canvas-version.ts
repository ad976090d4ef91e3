import type { EngineContext } from '../engine-context.ts';

/** How often the version of the canvas is read (ms): without a socket, and with one, which may be dead. G8.31 */
export const canvasPollMs = 10_000;
export const canvasPollWithSocketMs = 60_000;

/** Reads the version of the open project's canvas at intervals. Returns the function that ends this. */
export function pollCanvasVersion(
  { store, backend, environment }: Pick<EngineContext, 'store' | 'backend' | 'environment'>,
  onVersion: (version: number) => void,
): () => void {
  let isClosed = false;
  let lastAt = environment.now();
  let cancel = environment.later(canvasPollMs, poll);

  function poll(): void {
    void read().finally(() => {
      if (!isClosed) cancel = environment.later(canvasPollMs, poll);
    });
  }

  async function read(): Promise<void> {
    const { project, connection, status } = store.state;
    const interval = connection.realtime === 'connected' ? canvasPollWithSocketMs : canvasPollMs;
    if (!project || status !== 'ready' || !connection.authenticated || environment.now() - lastAt < interval) return;
    lastAt = environment.now();
    const answer = await backend.call('project.get', { params: { id: project.id } });
    if (isClosed || !answer.ok || store.state.project?.id !== project.id) return;
    const { canvasVersion } = answer.value;
    if (canvasVersion !== undefined) onVersion(canvasVersion);
  }

  return () => {
    isClosed = true;
    cancel();
  };
}
