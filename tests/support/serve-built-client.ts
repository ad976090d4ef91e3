import { join } from 'node:path';
import { buildClientWhenStale } from '../../scripts/build-client.ts';
import { serveClient } from '../../scripts/serve-client.ts';

/** Serves the page without a server, for browser tests that need none; builds the client when it is older than its sources. */
if (!(await buildClientWhenStale())) process.exit(1);
const { url } = await serveClient(join(import.meta.dirname, '../../dist'));
console.log(`Serving the client on ${url}`);
