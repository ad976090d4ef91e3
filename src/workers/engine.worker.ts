import { expose } from 'comlink';
import { browserEnvironment } from './engine/browser-environment.ts';
import { createEngine } from './engine/create-engine.ts';
import { keepErrorsWhole } from './error-transfer.ts';

keepErrorsWhole();
expose(createEngine({ environment: browserEnvironment() }));
