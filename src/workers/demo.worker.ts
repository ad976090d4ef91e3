import { createDemoBackend } from './engine/backends/demo/demo-backend.ts';
import { demoEnvironment } from './engine/backends/demo/demo-environment.ts';
import { serveEngine } from './engine/serve-engine.ts';

const environment = demoEnvironment();
serveEngine({ environment, createBackend: (parts) => createDemoBackend(parts, environment) });
