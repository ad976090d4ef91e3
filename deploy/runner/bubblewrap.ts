import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, sep } from 'node:path';
import type { RunnerSettings } from './runner-settings.ts';
import { commandWords, environment, firstUser, type Sandbox, trialFolder } from './sandboxed-command.ts';
import { systemFiles, systemFolder, wholeOutputFile } from './system-files.ts';

/** Without folders where services listen: a socket is reached without a network. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/opt', '/nix/store', '/nix/var/nix/profiles'];

/** The runner's own Node, whatever the jobs have, and the folder of the socket that leads to the registries. */
const node = '/runner/node';
const proxyFolder = '/runner/proxy';
const ownSystem = '/runner/system';
const hostName = 'runner';

/** `isClosed`: a command can make no user namespace, in which it would mount folders in memory that no limit counts. */
export function bubblewrap(
  { limits, readable }: Pick<RunnerSettings, 'limits' | 'readable'>,
  path: string,
  isRoot: boolean,
  isClosed: boolean,
): Sandbox {
  const shown = [...systemFolders, ...toolFolders(path, homedir()), ...readable].flatMap((folder) => ['--ro-bind-try', folder, folder]);
  const seen = () => ({ work: '/work', deps: '/deps', home: '/home/job' });
  const userOf = (place: number) => (isRoot ? firstUser + place : null);
  return {
    name: 'bubblewrap',
    hostName,
    seen,
    userOf,
    wrap: (command, { folder, place, network }) => {
      const isTrial = folder === trialFolder;
      const own = (name: string, at: string) => (isTrial ? ['--dir', at] : ['--bind', join(folder, name), at]);
      return {
        file: 'bwrap',
        args: [
          ...['--unshare-all', ...(isClosed ? ['--unshare-user', '--disable-userns'] : [])],
          ...(network === 'machine' ? ['--share-net', ...resolver()] : []),
          ...['--die-with-parent', '--new-session', '--hostname', hostName],
          ...['--proc', '/proc', '--dev', '/dev', '--size', String(64 * 1024 * 1024), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
          ...shown,
          ...ownEtc(isTrial ? '/etc' : join(folder, systemFolder)),
          ...(isTrial ? [] : ['--ro-bind', join(folder, systemFolder), ownSystem]),
          ...[...own('work', '/work'), ...own('deps', '/deps'), ...own('home', '/home/job'), ...own('tmp', '/tmp')],
          ...(network === 'registries'
            ? ['--ro-bind', process.execPath, node, ...(isTrial ? [] : ['--ro-bind', join(folder, 'proxy'), proxyFolder])]
            : []),
          ...['--remount-ro', '/', '--chdir', '/work', '--', ...commandWords(command, { limits, network, node, proxyFolder })],
        ],
        cwd: '/',
        env: environment(seen(), { path, tmp: '/tmp', network, preload: isTrial ? null : join(ownSystem, wholeOutputFile) }),
        uid: userOf(place),
      };
    },
  };
}

/** Puts the files of a job in the place of those of the machine. Where one is a link, as on NixOS, nothing can be put there. */
function ownEtc(from: string): string[] {
  return systemFiles.flatMap((name) => {
    const isFile = lstatSync(`/etc/${name}`, { throwIfNoEntry: false })?.isFile() ?? false;
    return isFile ? ['--ro-bind', join(from, name), `/etc/${name}`] : [];
  });
}

/** The file that says how names are resolved is often a link to a folder that commands do not see. */
function resolver(): string[] {
  try {
    const file = realpathSync('/etc/resolv.conf');
    return file.startsWith('/etc/') ? [] : ['--ro-bind-try', file, file];
  } catch {
    return [];
  }
}

/**
 * Node is often installed below a home folder, which commands do not see. Its own folder is shown, and nothing beside it: where that is the home
 * folder or one that other programs share, only its parts.
 */
export function toolFolders(path: string, home: string): string[] {
  for (const folder of path.split(delimiter)) {
    try {
      const prefix = dirname(dirname(realpathSync(join(folder, 'node'))));
      if (systemFolders.some((one) => `${prefix}/`.startsWith(one + sep))) return [];
      const isShared = [home, join(home, '.local')].some((one) => `${one}/`.startsWith(prefix === '/' ? prefix : prefix + sep));
      const own = isShared ? ['bin', 'lib/node_modules', 'include/node'].map((name) => join(prefix, name)) : [prefix];
      return [...new Set([...own, folder])];
    } catch {
      // No Node in this one.
    }
  }
  return [];
}
