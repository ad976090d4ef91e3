import { spawn } from 'node:child_process';

/**
 * Starts a process. Where it cannot be started, or a pipe to it breaks, this alone does not end the server: an event `error` without a listener would.
 * Callers add listeners for what they have to know. The linter refuses `spawn` elsewhere in the server.
 */
export const spawnProcess = ((...given: Parameters<typeof spawn>) => {
  const child = spawn(...given);
  for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter?.on('error', () => {});
  return child;
}) as typeof spawn;
