import { expose } from 'comlink';
import { sendDocumentsAsText } from '../document-transfer.ts';
import { keepErrorsWhole } from '../error-transfer.ts';
import { createEngine } from './create-engine.ts';

/** Makes a worker out of the script that calls it: an engine behind its port. */
export function serveEngine(options: Parameters<typeof createEngine>[0]): void {
  keepErrorsWhole();
  sendDocumentsAsText();
  // What nobody caught is a bug: the page hears of it as an error of the worker, and starts another.
  self.addEventListener('unhandledrejection', (event) => reportError(event.reason));
  expose(createEngine(options));
}
