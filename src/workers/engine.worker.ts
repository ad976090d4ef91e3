import { expose } from 'comlink';
import { browserEnvironment } from './engine/browser-environment.ts';
import { createEngine } from './engine/create-engine.ts';
import { keepErrorsWhole } from './error-transfer.ts';

keepErrorsWhole();
// What nobody caught is a bug: the page hears of it as an error of the worker, and starts another.
self.addEventListener('unhandledrejection', (event) => reportError(event.reason));
expose(createEngine({ environment: browserEnvironment() }));
