import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { forwarded, proxyVariables } from './install-network.ts';
import type { JobLimits, RunnerSettings } from './runner-settings.ts';
import { jobUser } from './system-files.ts';

/** The folders of a job: those on this machine, and their names for the command. */
type JobFolders = { work: string; deps: string; home: string };

/** A program with its arguments that executes a command in the sandbox, and the user that starts it; null for the runner's own. */
export type SandboxedCommand = { file: string; args: string[]; cwd: string; env: Record<string, string>; uid: number | null };

/**
 * What a command reaches. Its network is its own, unless the operator gives it that of the `machine`. `registries`: beside its loopback, a proxy
 * that opens tunnels to package registries.
 */
export type JobNetwork = 'own' | 'registries' | 'machine';

export type Sandbox = {
  name: RunnerSettings['sandbox'];
  /** The name of the machine that a job sees. */
  hostName: string;
  /** The user of the jobs of a place; null where the runner has no right to change it. */
  userOf: (place: number) => number | null;
  /** The names of a job's folders for its command. */
  seen: (folder: string) => JobFolders;
  wrap: (command: string, about: { folder: string; place: number; network: JobNetwork }) => SandboxedCommand;
};

/** In the place of a job's folder when a sandbox is tried. */
export const trialFolder = '/tmp';
/** The users of jobs, one for each place, where the runner is root. No other program should run as one of them. */
export const firstUser = 61_300;
/** The largest file that a command may write (bytes). */
const maxFileBytes = 2 * 1024 * 1024 * 1024;
const maxOpenFiles = 8_192;
/** The shell stays the parent of the command, so that a signal that ends the command is its code. Where memory is scarce the system ends it first. */
const shell = ['/bin/sh', '-c', 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; /bin/sh -c "$1" 2>&1; exit $?', 'sh'];

/** Returns the words that execute a command: with its limits, and behind the forwarder to the proxy where it has one. */
export function commandWords(
  command: string,
  { limits, network, node, proxyFolder }: { limits: JobLimits; network: JobNetwork; node: string; proxyFolder: string },
): string[] {
  return [...(network === 'registries' ? forwarded(node, proxyFolder) : []), ...limited(limits), ...shell, command];
}

/** The limits of each process. What all of them hold together is watched from outside. */
export function limited({ memoryBytes, processes }: JobLimits, limits = readLimits()): string[] {
  const wanted: [option: string, name: string, value: number][] = [
    ['data', 'Max data size', memoryBytes],
    ['nproc', 'Max processes', processes],
    ['fsize', 'Max file size', maxFileBytes],
    ['core', 'Max core file size', 0],
    ['nofile', 'Max open files', maxOpenFiles],
  ];
  // The runner may have less, and has no right to give more.
  const lowered = wanted.map(([option, name, value]) => `--${option}=${Math.min(value, hardLimit(limits, name))}`);
  return ['prlimit', ...lowered, '--'];
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

function hardLimit(limits: string, name: string): number {
  const line = limits.split('\n').find((one) => one.startsWith(name)) ?? '';
  const [, hard] = line.slice(name.length).trim().split(/\s+/);
  return /^\d+$/.test(hard ?? '') ? Number(hard) : Number.POSITIVE_INFINITY;
}

/**
 * Nothing of the runner's own variables but the place of programs. Package managers find what the install step has left, and ask no registry where none
 * is in reach. `preload`: what Node begins with.
 */
export function environment(
  { work, deps, home }: JobFolders,
  { path, tmp, network, preload }: { path: string; tmp: string; network: JobNetwork; preload: string | null },
): Record<string, string> {
  const venv = join(deps, 'venv');
  return {
    PATH: [join(venv, 'bin'), join(deps, 'npm', 'bin'), path].join(delimiter),
    HOME: home,
    TMPDIR: tmp,
    PWD: work,
    CI: 'true',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    USER: jobUser,
    LOGNAME: jobUser,
    VIRTUAL_ENV: venv,
    UV_PROJECT_ENVIRONMENT: venv,
    POETRY_VIRTUALENVS_CREATE: 'false',
    GOPATH: join(deps, 'go'),
    GOFLAGS: '-modcacherw',
    CARGO_HOME: join(deps, 'cargo'),
    BUNDLE_PATH: join(deps, 'bundle'),
    YARN_GLOBAL_FOLDER: join(deps, 'yarn'),
    npm_config_prefix: join(deps, 'npm'),
    npm_config_update_notifier: 'false',
    ...(preload !== null && { NODE_OPTIONS: `--require=${JSON.stringify(preload)}` }),
    ...(network === 'registries' && proxyVariables()),
    ...(network === 'own' && offlineVariables),
  };
}

/** What tells package managers that there is no network: they would try again for minutes. */
const offlineVariables = { npm_config_offline: 'true', PIP_RETRIES: '0', UV_OFFLINE: '1', CARGO_NET_OFFLINE: 'true', GOPROXY: 'off' };
