/** Starts the engine of server workspaces and of workspaces without a server. */
export function startEngineWorker(): Worker {
  return new Worker(new URL('../engine.worker.ts', import.meta.url), { type: 'module', name: 'artel-engine' });
}
