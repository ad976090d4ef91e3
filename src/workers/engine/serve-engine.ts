import { expose } from 'comlink';
import { v7 } from 'uuid';
import { installDocumentTransfer } from '../document-transfer.ts';
import { installErrorTransfer } from '../error-transfer.ts';
import type { ServedEngine } from '../protocol.ts';
import { createEngine } from './create-engine.ts';

/** Serves an engine over the port of the worker whose script calls this. */
export function serveEngine(options: Parameters<typeof createEngine>[0]): void {
  installErrorTransfer();
  installDocumentTransfer();
  // A rejection that is not caught is a bug: the page gets it as an error of the worker, and starts another worker.
  self.addEventListener('unhandledrejection', (event) => reportError(event.reason));
  const lock = holdLifeLock();
  expose({ ...createEngine(options), lifeLock: () => lock } satisfies ServedEngine);
}

/** Holds a lock until the worker ends, in any way. Resolves with its name once it is held. */
async function holdLifeLock(): Promise<string | null> {
  const { locks } = navigator;
  if (!locks) return null;
  const name = `artel-engine:${v7()}`;
  return new Promise((resolve) => {
    locks
      .request(name, () => {
        resolve(name);
        return new Promise<never>(() => {});
      })
      .catch(() => resolve(null));
  });
}
