import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InstallNeeds, InstallPolicy } from '../../contract/runner.ts';
import { carryOutInstall, type Execute } from './carry-out-install.ts';
import { type InstallStep, installStepOf } from './dependencies.ts';
import { type DependencyCache, removeTree } from './dependency-cache.ts';
import { type JobBase, makeRepository, unpackBase } from './make-repository.ts';
import { runCommand, type StopReason } from './run-command.ts';
import type { RunnerSettings } from './runner-settings.ts';
import type { Sandbox } from './sandboxed-command.ts';
import { writeSystemFiles } from './system-files.ts';
import { unpackJob } from './unpack-job.ts';
import { wantedBy } from './wanted-by.ts';
import { freeBytes } from './watch-held.ts';
import { spare, watchRoom } from './watch-room.ts';

const run = promisify(execFile);

/** `base`: how the base of the run differs from its files. */
export type Job = {
  id: string;
  command: string;
  seconds: number;
  project: string | null;
  install: InstallPolicy;
  /** Hosts beyond the list of registries that a person has allowed its install step. */
  hosts: readonly string[];
  files: Uint8Array;
  base: JobBase;
};

/** A line of the answer, as docs/runner.md describes. */
export type RunnerLine = { log: string } | { alive: true } | JobEnd;
type JobEnd = { exit: number } | { failed: 'timeout' | 'log_too_long' } | ({ failed: 'install_failed' } & Partial<InstallNeeds>);

export type ExecuteDeps = {
  settings: Pick<
    RunnerSettings,
    'workDir' | 'hasNetwork' | 'registries' | 'parentProxy' | 'asksForHosts' | 'install' | 'installVariables' | 'limits'
  >;
  sandbox: Sandbox;
  cache: DependencyCache;
};

type JobTalk = {
  /** The place of the job among those that run at the same time. */
  place: number;
  stop: AbortController;
  /** Called when the files are unpacked. */
  onBegun: () => void;
  onLog: (text: string) => Promise<void>;
};

/** What is told of a long install step (UTF-16 units). */
const maxStep = 1_000;
/** What a job has of its own below its folder. */
const jobFolders = ['work', 'deps', 'home', 'tmp'];
/** The runner's own: the job finds the socket of the proxy in it, and changes nothing. */
const proxyFolder = 'proxy';

/**
 * Executes a job in a folder of its own, which is removed afterwards. Throws `ArchiveRefused` before it begins. Each job is told to the
 * operator by its id alone.
 */
export async function executeJob(deps: ExecuteDeps, job: Job, talk: JobTalk): Promise<JobEnd> {
  const folder = join(deps.settings.workDir, String(talk.place));
  await removeTree(folder);
  await mkdir(folder, { mode: 0o700 });
  let timer: NodeJS.Timeout | undefined;
  const unwatch = watchRoom(folder, deps.settings.limits.freeDiskBytes, (lack) => talk.stop.abort(lack satisfies StopReason));
  try {
    const freeAtBegin = await freeBytes(folder);
    for (const name of jobFolders) await mkdir(join(folder, name), { mode: 0o700 });
    await mkdir(join(folder, proxyFolder));
    await chmod(join(folder, proxyFolder), 0o711);
    await writeSystemFiles(folder, systemOf(deps.sandbox, talk.place, folder));
    await unpackJob(job.files, join(folder, 'work'));
    talk.onBegun();
    await unpackBase(job.base, folder, talk.onLog);
    const beginTime = () => {
      timer = setTimeout(() => talk.stop.abort('timeout' satisfies StopReason), job.seconds * 1_000);
    };
    return await carryOut(deps, job, talk, { folder, freeAtBegin, beginTime });
  } finally {
    unwatch();
    clearTimeout(timer);
    await removeTree(folder);
  }
}

function systemOf({ userOf, seen, hostName }: Sandbox, place: number, folder: string) {
  const own = userOf(place);
  return { uid: own ?? process.geteuid?.() ?? 0, gid: own ?? process.getegid?.() ?? 0, home: seen(folder).home, hostName };
}

/** `freeAtBegin`: the bytes of the disk of the folder that were free before the job. `beginTime`: called when all is as the command finds it. */
type JobDisk = { folder: string; freeAtBegin: number; beginTime: () => void };

async function carryOut(
  { settings, sandbox, cache }: ExecuteDeps,
  job: Job,
  talk: JobTalk,
  { folder, freeAtBegin, beginTime }: JobDisk,
): Promise<JobEnd> {
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
  const execute: Execute = (command, network, variables) => {
    const wrapped = sandbox.wrap(command, { folder, place, network: settings.hasNetwork ? 'machine' : network });
    const watch = { mark: `ARTEL_JOB=${randomUUID()}`, folder, owner: uid, limits: settings.limits, freeAtBegin, stop, onLog };
    return runCommand({ ...wrapped, env: { ...variables, ...wrapped.env } }, watch);
  };
  const about = [process.arch, sandbox.name, sandbox.seen(folder).deps];
  try {
    await own();
    await makeRepository({ execute: (command) => execute(command, 'own', {}), onLog });
    beginTime();
    const today = new Date().toISOString().slice(0, 10);
    const policy = job.install;
    const install = await installStepOf(join(folder, 'work'), { own: settings.install, policy, project: job.project, about, today });
    const isKept = install?.key ? await cache.restore(install.key, folder, signal) : false;
    if (install && install.unlocked.length > 0) await onLog(unlockedLine(install.unlocked, isKept));
    if (isKept) await own();
    if (install && !isKept) {
      const about = { settings, hosts: job.hosts, proxyFolder: join(folder, proxyFolder), execute, onLog, signal };
      const end = await carryOutInstall(install, about);
      if (!end.isInstalled) return { failed: 'install_failed', ...needsOf(install, end.refused) };
      // What came from hosts that are open for one run serves no other one.
      if (install.key && job.hosts.length === 0)
        await keepInstalled(install.key, { cache, folder, signal, onLog, freeDiskBytes: settings.limits.freeDiskBytes });
    }
    const code = await execute(job.command, 'own', {});
    if (!signal.aborted) return { exit: code };
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return endOf(signal.reason as StopReason, settings.limits, talk.onLog);
}

/** What a person may allow, so that the install step gets on; nothing where it was refused no host. */
function needsOf({ download, files }: InstallStep, refused: readonly string[]): Partial<InstallNeeds> {
  return refused.length === 0 ? {} : { step: download.slice(0, maxStep), hosts: wantedBy(refused, files) };
}

/** The first line of the log of a job whose dependencies no lock file names. */
function unlockedLine(manifests: readonly string[], isKept: boolean): string {
  const done = isKept ? 'the runner uses what it has installed today' : 'the runner installs the newest versions that fit';
  return (
    `There is no lock file for ${manifests.join(', ')}: ${done}. Versions may change from day to day. The cure is a lock file in the repository;` +
    ' in the Test tab the project can install by lock files alone, or nothing.\n'
  );
}

type KeepDeps = { cache: DependencyCache; folder: string; signal: AbortSignal; onLog: JobTalk['onLog']; freeDiskBytes: number };

/** What was installed serves this job also where it cannot be kept for others, for example because the disk would have too little left. */
async function keepInstalled(key: string, { cache, folder, signal, onLog, freeDiskBytes }: KeepDeps) {
  const lack = new AbortController();
  const unwatch = watchRoom(cache.folder, freeDiskBytes, () => lack.abort());
  try {
    await cache.keep(key, folder, AbortSignal.any([signal, lack.signal]));
  } catch {
    if (!signal.aborted) await onLog('The runner cannot keep what was installed: the next job installs it again.\n');
  } finally {
    unwatch();
  }
}

/** What is told of a command that the runner has ended. It has no code of its own. */
async function endOf(reason: StopReason, limits: RunnerSettings['limits'], onLog: JobTalk['onLog']): Promise<JobEnd> {
  const tell = (why: string) => onLog(`\nThe runner ended the command: ${why}\n`);
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  switch (reason) {
    case 'timeout':
      return { failed: reason };
    case 'log_too_long':
      await tell(`it wrote more than ${mebibytes(limits.logBytes)} (ARTEL_RUNNER_LOG_MB).`);
      return { failed: reason };
    case 'held':
      await tell(`the files of the job took more than ${mebibytes(limits.diskBytes)} of the disk (ARTEL_RUNNER_DISK_MB).`);
      return { exit: -1 };
    case 'memory':
      await tell(`it held more than ${mebibytes(limits.memoryBytes)} of memory (ARTEL_RUNNER_MEMORY_MB).`);
      return { exit: -1 };
    case 'disk':
      await tell(`the disk has less than ${mebibytes(limits.freeDiskBytes)} (ARTEL_RUNNER_FREE_DISK_MB) or ${spare.files} files left.`);
      return { exit: -1 };
    case 'crowded':
      await tell(`the machine has less than ${spare.memoryPart * 100} % of its memory left.`);
      return { exit: -1 };
    case 'gone':
      return { exit: -1 };
    default:
      return reason satisfies never;
  }
}
