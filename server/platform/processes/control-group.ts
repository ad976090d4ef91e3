import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Processes that the kernel keeps together: no process leaves the group by itself, unless it runs as root or as this server's user. */
export type ControlGroup = {
  folder: string;
  /** Puts a process into the group; what it starts from then on is in it, too. */
  add: (pid: number) => Promise<void>;
  /** Kills all processes of the group and removes it. Never rejects. */
  end: () => Promise<void>;
};

const maxWaits = 20;
const waitMs = 25;

/** Makes a control group (cgroup v2) below the one of this server. Returns null where the system has none, or this server may not make one. */
export async function makeControlGroup(name: string): Promise<ControlGroup | null> {
  const parent = await ownGroup().catch(() => null);
  if (parent === null) return null;
  const folder = join(parent, name);
  const end = async () => {
    await writeFile(join(folder, 'cgroup.kill'), '1').catch(() => {});
    for (let waits = 0; waits < maxWaits; waits += 1) {
      // It is busy until the killed processes are gone.
      const isRemoved = await rmdir(folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (isRemoved) return;
      await wait(waitMs);
    }
  };
  try {
    await mkdir(folder);
    await access(join(folder, 'cgroup.kill'), constants.W_OK);
  } catch {
    await rmdir(folder).catch(() => {});
    return null;
  }
  return { folder, add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)), end };
}

/** Returns the folder of this server's own group; null without one. */
async function ownGroup(): Promise<string | null> {
  const [mounts, groups] = await Promise.all([readFile('/proc/self/mountinfo', 'utf8'), readFile('/proc/self/cgroup', 'utf8')]);
  // Of a mount: number, parent, device, the folder that is mounted, where.
  const [, , , root = '/', place] =
    mounts
      .split('\n')
      .find((line) => line.includes(' - cgroup2 '))
      ?.split(' ') ?? [];
  const own = /^0::(.*)$/m.exec(groups)?.[1];
  if (place === undefined || own === undefined || !own.startsWith(root)) return null;
  return join(place, own.slice(root.length));
}
