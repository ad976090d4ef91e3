import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

type WholeFile = {
  /** The file's mode; readable and writable by its owner only unless set. */
  mode?: number;
  /** False keeps an existing file as it is, and rejects with `EEXIST`. */
  replace?: boolean;
};

/**
 * Writes a small file atomically, also when the disk is full or the power fails: under a temporary name, flushed, then renamed. Once it
 * has resolved, the file survives a loss of power. The error of a failure names `path`.
 */
export async function writeWholeFile(path: string, content: string | Uint8Array, { mode = 0o600, replace = true }: WholeFile = {}) {
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  try {
    const file = await open(partial, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await (replace ? rename(partial, path) : claimName(partial, path));
  } catch (error) {
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(partial, { force: true });
  }
  await flushFolder(dirname(path));
}

/** Makes the names in a folder survive a loss of power. Systems that cannot flush a folder (Windows) do so by themselves. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Writes a file's content to the disk, so that it survives a loss of power. */
export async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives a complete file its name. Rejects with `EEXIST` when the name is taken. */
export async function claimName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path);
  } catch (error) {
    if (!noLinks.has(String((error as NodeJS.ErrnoException).code))) throw error;
    const claimed = await open(path, 'wx');
    await claimed.close();
    await rename(partial, path);
  }
}

/** Error codes of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
