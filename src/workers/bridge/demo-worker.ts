import { prestartedWorker } from './prestarted-worker.ts';

let take: (() => Worker) | null = null;

/** Starts the engine of the demonstration early and once, while the page that uses it loads. */
export function prestartDemoWorker(): void {
  take ??= prestartedWorker(startDemoWorker);
}

/** The engine of the demonstration, which knows no server and no way to one. */
export function takeDemoWorker(): Worker {
  return (take ?? startDemoWorker)();
}

function startDemoWorker(): Worker {
  return new Worker(new URL('../demo.worker.ts', import.meta.url), { type: 'module', name: 'artel-demo' });
}
