/** The engine of the demonstration, which can call no server. */
export function startDemoWorker(): Worker {
  return new Worker(new URL('../demo.worker.ts', import.meta.url), { type: 'module', name: 'artel-demo' });
}
