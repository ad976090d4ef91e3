/** The engine of workspaces on a server, and of those of this browser alone. */
export function startEngineWorker(): Worker {
  return new Worker(new URL('../engine.worker.ts', import.meta.url), { type: 'module', name: 'artel-engine' });
}
