/** The engine of the demonstration, which knows no server and no way to one. */
export function startDemoWorker(): Worker {
  return new Worker(new URL('../demo.worker.ts', import.meta.url), { type: 'module', name: 'artel-demo' });
}
