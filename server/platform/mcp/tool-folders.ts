import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the temporary folders of tool servers begin. */
export const toolFolderPrefix = 'artel-tool-';
/** No step lasts as long (ms). */
const keptMs = 24 * 60 * 60 * 1_000;

/** Removes folders of tool servers that a killed server has left: those of this user that are older than a day. Never rejects. */
export async function removeOldToolFolders(now: number, parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(toolFolderPrefix))) {
    const path = join(parent, name);
    const about = await lstat(path).catch(() => null);
    if (!about?.isDirectory() || about.mtimeMs > now - keptMs) continue;
    if (process.getuid !== undefined && about.uid !== process.getuid()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
