import { pathToFileURL } from 'node:url';
import { buildProductWhenStale } from './build-product.ts';
import { serverProgram } from './server-build/server-bundle.ts';
import { stopWithNpm } from './stop-with-npm.ts';

/** Client and server built where they are missing or their sources have changed, then the server in this same process. */
stopWithNpm();
if (await buildProductWhenStale()) await import(pathToFileURL(serverProgram).href);
else process.exitCode = 1;
