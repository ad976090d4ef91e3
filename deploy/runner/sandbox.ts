import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { bubblewrap } from './bubblewrap.ts';
import { closeSharedFolders, containerSandbox } from './container-sandbox.ts';
import type { RunnerSettings } from './runner-settings.ts';
import { type Sandbox, trialFolder } from './sandboxed-command.ts';

/** Makes the sandbox and tries it once. Throws an error that says what is missing: nothing is executed without one. */
export function createSandbox(settings: Pick<RunnerSettings, 'sandbox' | 'limits' | 'readable'>, env: NodeJS.ProcessEnv): Sandbox {
  const isRoot = process.geteuid?.() === 0;
  const path = pathOfCommands(env.PATH ?? '');
  if (settings.sandbox === 'container' && !isRoot) {
    throw new Error('ARTEL_RUNNER_SANDBOX=container is for a container in which the runner is root: each job then has a user of its own.');
  }
  // Older programs and some machines refuse the first.
  const [closed, open] = [true, false].map((isClosed) =>
    settings.sandbox === 'container' ? containerSandbox(settings.limits, path, isClosed) : bubblewrap(settings, path, isRoot, isClosed),
  ) as [Sandbox, Sandbox];
  if (refusalOf(closed) === null) return closed;
  const refusal = refusalOf(open);
  if (refusal !== null) throw new Error(`${refusals[settings.sandbox]} The try ended with: ${refusal}`);
  if (settings.sandbox === 'container') closeSharedFolders();
  return open;
}

/** Tries a sandbox, and returns why it does not work; null where it does. */
function refusalOf(sandbox: Sandbox): string | null {
  const { file, args, env, uid } = sandbox.wrap('exit 0', { folder: trialFolder, place: 0, hasNetwork: false });
  try {
    execFileSync(file, args, { env, cwd: '/', stdio: 'pipe', timeout: 10_000, ...(uid !== null && { uid, gid: uid }) });
    return null;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: Buffer | string };
    return String(stderr).trim() || message;
  }
}

const refusals = {
  bubblewrap:
    'The runner does not start: it executes what models wrote, and bubblewrap does not work here. Install it (apt-get install bubblewrap, dnf install bubblewrap), or start the runner in a container with Docker or rootless Podman: docs/runner.md.',
  container: 'The runner does not start: this container lacks a capability that keeps jobs apart (SYS_ADMIN, NET_ADMIN): docs/runner.md.',
};

/** The runner's own programs, which npm puts first, are not those of the jobs. */
function pathOfCommands(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && !`${folder}/`.includes('/node_modules/'))
    .join(delimiter);
}
