import { createServerBackend } from './engine/backends/server.ts';
import { browserEnvironment } from './engine/environment/browser-environment.ts';
import { serveEngine } from './engine/serve-engine.ts';

const environment = browserEnvironment();
const { warn } = environment;
serveEngine({
  environment,
  createBackend: (parts) => createServerBackend(parts, { warn, fetch: (input, init) => fetch(input, init) }),
});
