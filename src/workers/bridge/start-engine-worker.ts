/** The engine of workspaces that have a server, or live in this browser alone. */
export function startEngineWorker(): Worker {
  return new Worker(new URL('../engine.worker.ts', import.meta.url), { type: 'module', name: 'artel-engine' });
}
