import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { JobLimits } from './runner-settings.ts';
import { commandWords, environment, firstUser, type Sandbox, trialFolder } from './sandboxed-command.ts';
import { systemFiles, systemFolder, textOf, wholeOutputFile } from './system-files.ts';

/** Folders in which every user writes. */
const sharedFolders = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue', '/run/lock'];
/**
 * Puts the job's own folder `$0` in their place, and the files of folder `$1` in the place of those of the system. Where the system lets it, hides
 * processes beside the job, and bounds shared memory of System V, which may be mapped by no process, to `$2` pages.
 */
const cover = `for shared in ${sharedFolders.join(' ')}; do
  if [ -d "$shared" ] && [ ! -L "$shared" ]; then mount --bind "$0" "$shared" || exit 125; fi
done
for name in ${systemFiles.join(' ')}; do
  if [ -f "$1/$name" ] && [ -f "/etc/$name" ]; then mount --bind "$1/$name" "/etc/$name" || exit 125; fi
done
mount -t proc -o nosuid,nodev,noexec proc /proc 2>/dev/null
{ echo "$2" >/proc/sys/kernel/shmall; } 2>/dev/null; shift 2; exec "$@"`;
const pageBytes = 4_096;

/**
 * The container shows nothing of its machine. In it each job has a user, a list of processes and a network of its own, and folders for temporary
 * files where the system lets the container mount them (`hasMounts`). Elsewhere shared folders are closed to jobs.
 */
export function containerSandbox(limits: JobLimits, path: string, hasMounts: boolean): Sandbox {
  const seen = (folder: string) => ({ work: join(folder, 'work'), deps: join(folder, 'deps'), home: join(folder, 'home') });
  return {
    name: 'container',
    hostName: hostname(),
    seen,
    userOf: (place) => firstUser + place,
    wrap: (command, { folder, place, network }) => {
      const isTrial = folder === trialFolder;
      const tmp = isTrial ? folder : join(folder, 'tmp');
      const words = commandWords(command, { limits, network, node: 'node', proxyFolder: join(folder, 'proxy') });
      const uid = String(firstUser + place);
      const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--no-new-privs', '--pdeathsig=KILL'];
      const asUser = ['setpriv', ...user, '--bounding-set=-all', '--inh-caps=-all', ...words];
      // A new network has a loopback that is down; tests listen on it.
      const start = network === 'machine' ? asUser : ['/bin/sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...asUser];
      const spaces = [...(network === 'machine' ? [] : ['--net']), ...(hasMounts ? ['--mount'] : []), '--pid', '--ipc'];
      return {
        file: 'setpriv',
        args: [
          ...['--pdeathsig=KILL', 'unshare', ...spaces, '--fork', '--kill-child=KILL', '--'],
          ...(hasMounts
            ? ['/bin/sh', '-c', cover, tmp, join(folder, systemFolder), String(Math.floor(limits.memoryBytes / pageBytes))]
            : []),
          ...start,
        ],
        cwd: isTrial ? '/' : join(folder, 'work'),
        env: environment(seen(folder), { path, tmp, network, preload: isTrial ? null : join(folder, systemFolder, wholeOutputFile) }),
        uid: null,
      };
    },
  };
}

export function isBelowShared(folder: string): boolean {
  return sharedFolders.some((shared) => `${folder}/`.startsWith(`${shared}/`));
}

/**
 * Takes from all users but root the right to write in shared folders, and enters the users of jobs and the host in the files of the container: nothing
 * can be put in the place of either. Throws outside of a container, where these are the machine's.
 */
export function closeSharedFolders(maxJobs: number): void {
  if (!existsSync('/.dockerenv') && !existsSync('/run/.containerenv')) {
    throw new Error(
      'The runner does not start: it may mount nothing here, and this is no container, so jobs would share folders: docs/runner.md.',
    );
  }
  for (const folder of sharedFolders.filter((one) => existsSync(one))) chmodSync(folder, 0o755);
  const system = { gid: firstUser, home: '/', hostName: hostname() };
  for (const name of systemFiles.filter((one) => existsSync(`/etc/${one}`))) {
    const text = Array.from({ length: maxJobs }, (_, place) => firstUser + place).reduce(
      (entered, id) => textOf(name, entered, { ...system, uid: id, gid: id }),
      readFileSync(`/etc/${name}`, 'utf8'),
    );
    writeFileSync(`/etc/${name}`, text);
  }
}
