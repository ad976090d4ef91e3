import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import type { JobLimits, RunnerSettings } from './runner-settings.ts';

/** The folders of a job: those on this machine, and their names for the command. */
export type JobFolders = { work: string; deps: string; home: string };

/** A program with its arguments that executes a command in the sandbox, and the user that starts it; null for the runner's own. */
export type SandboxedCommand = { file: string; args: string[]; cwd: string; env: Record<string, string>; uid: number | null };

export type Sandbox = {
  name: RunnerSettings['sandbox'];
  /** The user of the jobs of a place; null where the runner has no right to change it. */
  userOf: (place: number) => number | null;
  /** The names of a job's folders for its command. */
  seen: (folder: string) => JobFolders;
  wrap: (command: string, about: { folder: string; place: number; hasNetwork: boolean }) => SandboxedCommand;
};

/** The users of jobs, one for each place, where the runner is root. No other program should run as one of them. */
const firstUser = 61_300;
/** The largest file that a command may write (bytes). */
const maxFileBytes = 2 * 1024 * 1024 * 1024;
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/opt', '/nix', '/run/systemd/resolve'];
/** The shell stays the parent of the command, so that a signal that ends the command is its code. */
const shell = ['/bin/sh', '-c', '/bin/sh -c "$1" 2>&1; exit $?', 'sh'];

/** Makes the sandbox and tries it once. Throws an error that says what is missing: nothing is executed without one. */
export function createSandbox(settings: Pick<RunnerSettings, 'sandbox' | 'limits' | 'readable'>, env: NodeJS.ProcessEnv): Sandbox {
  const isRoot = process.geteuid?.() === 0;
  const path = pathOfCommands(env.PATH ?? '');
  const sandbox = settings.sandbox === 'container' ? containerSandbox(settings.limits, path) : bubblewrap(settings, path, isRoot);
  if (settings.sandbox === 'container' && !isRoot) {
    throw new Error('ARTEL_RUNNER_SANDBOX=container is for a container in which the runner is root: each job then has a user of its own.');
  }
  const { file, args, env: own, uid } = sandbox.wrap('exit 0', { folder: '/tmp', place: 0, hasNetwork: false });
  try {
    execFileSync(file, args, { env: own, cwd: '/', stdio: 'pipe', timeout: 10_000, ...(uid !== null && { uid, gid: uid }) });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: Buffer | string };
    throw new Error(`${refusals[settings.sandbox]} The try ended with: ${String(stderr).trim() || message}`);
  }
  return sandbox;
}

const refusals = {
  bubblewrap:
    'The runner does not start: it executes what models wrote, and bubblewrap does not work here. Install it (apt-get install bubblewrap, dnf install bubblewrap), or start the runner in a container with Docker or rootless Podman: docs/runner.md.',
  container: 'The runner does not start: this container lacks a capability that keeps jobs apart (SYS_ADMIN, NET_ADMIN): docs/runner.md.',
};

function bubblewrap({ limits, readable }: Pick<RunnerSettings, 'limits' | 'readable'>, path: string, isRoot: boolean): Sandbox {
  const shown = [...systemFolders, ...toolFolders(path), ...readable].flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const seen = () => ({ work: '/work', deps: '/deps', home: '/home/job' });
  const userOf = (place: number) => (isRoot ? firstUser + place : null);
  return {
    ...{ name: 'bubblewrap', seen, userOf },
    wrap: (command, { folder, place, hasNetwork }) => {
      const isTrial = folder === '/tmp';
      const own = (name: string, at: string) => (isTrial ? ['--dir', at] : ['--bind', join(folder, name), at]);
      return {
        file: 'bwrap',
        args: [
          ...['--unshare-all', ...(hasNetwork ? ['--share-net'] : []), '--die-with-parent', '--new-session', '--hostname', 'runner'],
          ...['--proc', '/proc', '--dev', '/dev', '--size', String(64 * 1024 * 1024), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
          ...shown,
          ...[...own('work', '/work'), ...own('deps', '/deps'), ...own('home', '/home/job'), ...own('tmp', '/tmp')],
          ...['--remount-ro', '/', '--chdir', '/work', '--', ...limited(limits), ...shell, command],
        ],
        ...{ cwd: '/', env: environment(seen(), path, '/tmp'), uid: userOf(place) },
      };
    },
  };
}

/** The container shows nothing of its machine. In it each job has a user, a list of processes and a network of its own. */
function containerSandbox(limits: JobLimits, path: string): Sandbox {
  const seen = (folder: string) => ({ work: join(folder, 'work'), deps: join(folder, 'deps'), home: join(folder, 'home') });
  return {
    ...{ name: 'container', seen, userOf: (place) => firstUser + place },
    wrap: (command, { folder, place, hasNetwork }) => {
      const uid = String(firstUser + place);
      const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--pdeathsig=KILL'];
      const asUser = ['setpriv', ...user, '--bounding-set=-all', '--inh-caps=-all', ...limited(limits), ...shell, command];
      // A new network has a loopback that is down; tests listen on it.
      const start = hasNetwork ? asUser : ['/bin/sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...asUser];
      return {
        file: 'setpriv',
        args: [
          '--pdeathsig=KILL',
          'unshare',
          ...(hasNetwork ? [] : ['--net']),
          '--pid',
          '--ipc',
          '--fork',
          '--kill-child=KILL',
          '--',
          ...start,
        ],
        cwd: folder === '/tmp' ? '/' : join(folder, 'work'),
        ...{ env: environment(seen(folder), path, join(folder, 'tmp')), uid: null },
      };
    },
  };
}

/** The limits of each process. What all of them hold together is watched from outside. */
function limited({ memoryBytes, processes }: JobLimits): string[] {
  return ['prlimit', `--data=${memoryBytes}`, `--nproc=${processes}`, `--fsize=${maxFileBytes}`, '--core=0', '--nofile=8192', '--'];
}

/** Nothing of the runner's own variables but the place of programs. Package managers find what the install step has left. */
function environment({ work, deps, home }: JobFolders, path: string, tmp: string): Record<string, string> {
  const venv = join(deps, 'venv');
  return {
    PATH: [join(venv, 'bin'), path].join(delimiter),
    ...{ HOME: home, TMPDIR: tmp, PWD: work, CI: 'true', NO_COLOR: '1', LANG: 'C.UTF-8', USER: 'job' },
    ...{ VIRTUAL_ENV: venv, UV_PROJECT_ENVIRONMENT: venv, POETRY_VIRTUALENVS_CREATE: 'false' },
    ...{ GOPATH: join(deps, 'go'), GOFLAGS: '-modcacherw', CARGO_HOME: join(deps, 'cargo'), BUNDLE_PATH: join(deps, 'bundle') },
    ...{ YARN_GLOBAL_FOLDER: join(deps, 'yarn'), npm_config_update_notifier: 'false' },
  };
}

/** The runner's own programs, which npm puts first, are not those of the jobs. */
function pathOfCommands(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && !`${folder}/`.includes('/node_modules/'))
    .join(delimiter);
}

/** Node is often installed below a home folder, which commands do not see. Its own folder is shown, and nothing beside it. */
function toolFolders(path: string): string[] {
  for (const folder of path.split(delimiter)) {
    try {
      const prefix = dirname(dirname(realpathSync(join(folder, 'node'))));
      return systemFolders.some((one) => `${prefix}/`.startsWith(one + sep)) ? [] : [...new Set([prefix, folder])];
    } catch {
      // No Node in this one.
    }
  }
  return [];
}
