import { buildClientWhenStale } from './build-client.ts';
import { stopWithNpm } from './stop-with-npm.ts';

/** `npm start`: the client built when it is missing or older than its sources, then the server in this same process. */
stopWithNpm();
if (await buildClientWhenStale()) await import('../server/main.ts');
else process.exitCode = 1;
