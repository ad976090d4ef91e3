import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type WholeFile = {
  /** The file's rights; only its owner reads and writes it unless told otherwise. */
  mode?: number;
  /** False leaves a file that is there already as it is, and rejects with `EEXIST`. */
  replace?: boolean;
};

/**
 * Writes a small file so that it is there whole or not at all, whenever the disk fills up or the power goes: under a temporary name, flushed,
 * then under its own name. When it resolves, the file outlives a loss of power. A failure names `path`.
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

/** Makes the names of a folder's files outlive a loss of power. Systems that cannot flush a folder (Windows) do so by themselves. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Gives a whole file its name. Rejects with `EEXIST` when another has it. */
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

/** How file systems without hard links refuse one. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
