import { buildClient } from './build-client.ts';

/** `npm run build`: the client, published beside the pieces of the builds before it. */
if (!(await buildClient())) process.exitCode = 1;
