import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the temporary folders of tool servers begin. */
export const toolFolderPrefix = 'artel-tool-';
/** No step lasts as long (ms). */
const keptMs = 24 * 60 * 60 * 1_000;

/** Removes folders of tool servers that a killed server has left: those that this user may have made, older than a day. Never rejects. */
export async function removeOldToolFolders(now: number, parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(toolFolderPrefix))) {
    const path = join(parent, name);
    const about = await lstat(path).catch(() => null);
    if (!about?.isDirectory() || about.mtimeMs > now - keptMs) continue;
    // A server of root gives its folders to the users of its programs.
    if (process.getuid !== undefined && process.getuid() !== 0 && about.uid !== process.getuid()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}
