import { buildClientWhenStale } from './build-client.ts';

/** `npm start`: the client built when it is missing or older than its sources, then the server in this same process. */
stopWithNpm();
if (await buildClientWhenStale()) await import('../server/main.ts');
else process.exitCode = 1;

/** A signal to npm ends the shell between npm and this process, which would go on with nobody to stop it. */
function stopWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
