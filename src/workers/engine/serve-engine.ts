import { expose } from 'comlink';
import { installDocumentTransfer } from '../document-transfer.ts';
import { installErrorTransfer } from '../error-transfer.ts';
import { createEngine } from './create-engine.ts';

/** Serves an engine over the port of the worker whose script calls this. */
export function serveEngine(options: Parameters<typeof createEngine>[0]): void {
  installErrorTransfer();
  installDocumentTransfer();
  // A rejection that is not caught is a bug: the page gets it as an error of the worker, and starts another worker.
  self.addEventListener('unhandledrejection', (event) => reportError(event.reason));
  expose(createEngine(options));
}
