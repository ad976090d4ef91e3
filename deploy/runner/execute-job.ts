import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installStepOf } from './dependencies.ts';
import { type DependencyCache, removeTree } from './dependency-cache.ts';
import { runCommand, type StopReason } from './run-command.ts';
import type { RunnerSettings } from './runner-settings.ts';
import type { Sandbox } from './sandboxed-command.ts';
import { unpackJob } from './unpack-job.ts';
import { watchRoom } from './watch-room.ts';

const run = promisify(execFile);

export type Job = { id: string; command: string; seconds: number; project: string | null; files: Uint8Array };

/** A line of the answer, as docs/runner.md describes. */
export type RunnerLine = { log: string } | { alive: true } | JobEnd;
type JobEnd = { exit: number } | { failed: 'timeout' | 'refused' | 'log_too_long' };

export type ExecuteDeps = {
  settings: Pick<RunnerSettings, 'workDir' | 'hasNetwork' | 'install' | 'installVariables' | 'limits'>;
  sandbox: Sandbox;
  cache: DependencyCache;
};

type JobTalk = {
  /** The place of the job among those that run at the same time. */
  place: number;
  stop: AbortController;
  /** Called when the files are unpacked and the time begins. */
  onBegun: () => void;
  onLog: (text: string) => Promise<void>;
};

/** What a job has of its own below its folder. */
const jobFolders = ['work', 'deps', 'home', 'tmp'];

/**
 * Executes a job in a folder of its own, which is removed afterwards. Throws `ArchiveRefused` before it begins. Each job is told to the
 * operator by its id alone.
 */
export async function executeJob(deps: ExecuteDeps, job: Job, talk: JobTalk): Promise<JobEnd> {
  const folder = join(deps.settings.workDir, String(talk.place));
  await removeTree(folder);
  await mkdir(folder, { mode: 0o700 });
  let timer: NodeJS.Timeout | undefined;
  const unwatch = watchRoom(folder, (lack) => talk.stop.abort(lack satisfies StopReason));
  try {
    for (const name of jobFolders) await mkdir(join(folder, name), { mode: 0o700 });
    await unpackJob(job.files, join(folder, 'work'));
    talk.onBegun();
    timer = setTimeout(() => talk.stop.abort('timeout' satisfies StopReason), job.seconds * 1_000);
    return await carryOut(deps, job, talk, folder);
  } finally {
    unwatch();
    clearTimeout(timer);
    await removeTree(folder);
  }
}

async function carryOut({ settings, sandbox, cache }: ExecuteDeps, job: Job, talk: JobTalk, folder: string): Promise<JobEnd> {
  const { place, stop } = talk;
  const { signal } = stop;
  const uid = sandbox.userOf(place);
  // The folder above stays the runner's: a job that could put a link in the place of one of its own would choose what the runner copies.
  const own = async () => {
    if (uid !== null) {
      // No other job reaches what this one opens to all.
      await run('chown', [`:${uid}`, folder]);
      await chmod(folder, 0o710);
    }
    // What was restored has the modes of the cache.
    for (const name of jobFolders) await chmod(join(folder, name), 0o700);
    if (uid !== null) await run('chown', ['-Rh', `${uid}:${uid}`, ...jobFolders.map((name) => join(folder, name))]);
  };
  let logged = 0;
  const onLog = async (text: string) => {
    logged += Buffer.byteLength(text);
    if (logged > settings.limits.logBytes) stop.abort('log_too_long' satisfies StopReason);
    else await talk.onLog(text);
  };
  const execute = (command: string, hasNetwork: boolean, variables: Record<string, string> = {}) => {
    const wrapped = sandbox.wrap(command, { folder, place, hasNetwork });
    const watch = { mark: `ARTEL_JOB=${randomUUID()}`, folder, memoryBytes: settings.limits.memoryBytes, stop, onLog };
    return runCommand({ ...wrapped, env: { ...variables, ...wrapped.env } }, watch);
  };
  const about = [process.arch, sandbox.name, sandbox.seen(folder).deps];
  try {
    const install = await installStepOf(join(folder, 'work'), { own: settings.install, project: job.project, about });
    const isKept = install?.key ? await cache.restore(install.key, folder, signal) : false;
    await own();
    if (install && !isKept) {
      await onLog(`$ ${install.command}\n`);
      const code = await execute(install.command, true, settings.installVariables);
      if (!signal.aborted && code !== 0) {
        const lack = code === 127 ? ' The runner lacks a program that the step names.' : '';
        await onLog(`The install step ended with code ${code}.${lack} The test command was not executed.\n`);
        return { failed: 'refused' };
      }
      if (install.key) await keepInstalled(cache, install.key, folder, signal, onLog);
    }
    const code = await execute(job.command, settings.hasNetwork);
    if (!signal.aborted) return { exit: code };
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return endOf(signal.reason as StopReason, settings.limits, talk.onLog);
}

/** What was installed serves this job also where it cannot be kept for others. */
async function keepInstalled(cache: DependencyCache, key: string, folder: string, signal: AbortSignal, onLog: JobTalk['onLog']) {
  try {
    await cache.keep(key, folder, signal);
  } catch {
    if (!signal.aborted) await onLog('The runner cannot keep what was installed: the next job installs it again.\n');
  }
}

/** What is told of a command that the runner has ended. It has no code of its own. */
async function endOf(reason: StopReason, limits: RunnerSettings['limits'], onLog: JobTalk['onLog']): Promise<JobEnd> {
  switch (reason) {
    case 'timeout':
    case 'log_too_long':
      return { failed: reason };
    case 'memory':
      await onLog(`\nThe runner ended the command: it held more than ${limits.memoryBytes / 1024 / 1024} MiB of memory.\n`);
      return { exit: -1 };
    case 'disk':
      await onLog('\nThe runner ended the command: the disk is full.\n');
      return { exit: -1 };
    case 'crowded':
      await onLog('\nThe runner ended the command: the machine has no memory left.\n');
      return { exit: -1 };
    case 'gone':
      return { exit: -1 };
    default:
      return reason satisfies never;
  }
}
