import { execFileSync, spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeOpenFolder } from '../database/make-open-folder.ts';

export type SmallDisk = {
  path: string;
  /** Uses all free space but this many bytes. */
  fill: (leave: number) => Promise<void>;
  /** Frees the space that `fill` used. */
  free: () => Promise<void>;
  /** Makes the disk read-only or writable again. */
  setReadOnly: (on: boolean) => void;
  remove: () => Promise<void>;
};

/** A disk in memory with this many MiB; null where this account may not mount one. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | null> {
  const folder = await makeOpenFolder();
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'tmpfs', folder.path];
  if (process.platform !== 'linux' || spawnSync('mount', options, { stdio: 'ignore' }).status !== 0) {
    await folder.remove();
    return null;
  }
  const ballast = join(folder.path, 'ballast');
  return {
    path: folder.path,
    async fill(leave) {
      const { bavail, bsize } = await statfs(folder.path);
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leave))).catch((error: NodeJS.ErrnoException) => {
        // Another process wrote at the same time; the disk is full anyway.
        if (error.code !== 'ENOSPC') throw error;
      });
    },
    free: () => rm(ballast, { force: true }),
    setReadOnly: (on) => {
      execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, folder.path]);
    },
    async remove() {
      spawnSync('umount', [folder.path], { stdio: 'ignore' });
      await folder.remove();
    },
  };
}
