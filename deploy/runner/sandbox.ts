import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { bubblewrap } from './bubblewrap.ts';
import { closeSharedFolders, containerSandbox, isBelowShared } from './container-sandbox.ts';
import type { RunnerSettings } from './runner-settings.ts';
import { type Sandbox, trialFolder } from './sandboxed-command.ts';

/** Makes the sandbox and tries it once. Throws an error that says what is missing: nothing is executed without one. */
export function createSandbox(
  settings: Pick<RunnerSettings, 'sandbox' | 'limits' | 'readable' | 'workDir' | 'maxJobs'>,
  env: NodeJS.ProcessEnv,
): Sandbox {
  const isRoot = process.geteuid?.() === 0;
  const path = pathOfCommands(env.PATH ?? '');
  if (settings.sandbox === 'container' && !isRoot) {
    throw new Error('ARTEL_RUNNER_SANDBOX=container is for a container in which the runner is root: each job then has a user of its own.');
  }
  if (settings.sandbox === 'container' && isBelowShared(settings.workDir)) {
    throw new Error('ARTEL_RUNNER_WORK_DIR must not be in a folder that jobs have of their own, for example /tmp.');
  }
  // Older programs and some machines refuse the first.
  const [closed, open] = [true, false].map((isClosed) =>
    settings.sandbox === 'container' ? containerSandbox(settings.limits, path, isClosed) : bubblewrap(settings, path, isRoot, isClosed),
  ) as [Sandbox, Sandbox];
  if (refusalOf(closed) === null) return closed;
  const refusal = refusalOf(open);
  if (refusal !== null) throw new Error(`${refusals[settings.sandbox]}The try ended with: ${refusal}`);
  if (settings.sandbox === 'container') closeSharedFolders(settings.maxJobs);
  return open;
}

/** Tries a sandbox, and returns why it does not work; null where it does. */
function refusalOf(sandbox: Sandbox): string | null {
  const { file, args, env, uid } = sandbox.wrap('exit 0', { folder: trialFolder, place: 0, network: 'registries' });
  try {
    execFileSync(file, args, { env, cwd: '/', stdio: 'pipe', timeout: 10_000, ...(uid !== null && { uid, gid: uid }) });
    return null;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: Buffer | string };
    return String(stderr).trim() || message;
  }
}

const refusals = {
  bubblewrap: `The runner does not start: it executes what models wrote, and bubblewrap does not work here.
Linux: apt-get install bubblewrap, or dnf install bubblewrap.${
    closesNamespaces()
      ? ` This system also asks for a profile of it:
  sudo apt-get install apparmor-profiles
  sudo cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
  sudo systemctl reload apparmor`
      : ''
  }
macOS, Windows and others: start the runner in a container with Docker or rootless Podman, by the three lines in docs/runner.md.
`,
  container: 'The runner does not start: this container lacks a capability that keeps jobs apart (SYS_ADMIN, NET_ADMIN): docs/runner.md.\n',
};

/** Ubuntu closes user namespaces to programs without a profile since 24.04. */
function closesNamespaces(): boolean {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

/** The runner's own programs, which npm puts first, are not those of the jobs. */
function pathOfCommands(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && !`${folder}/`.includes('/node_modules/'))
    .join(delimiter);
}
