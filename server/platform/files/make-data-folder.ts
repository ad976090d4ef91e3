import { access, chmod, constants, mkdir } from 'node:fs/promises';

/**
 * Makes the folder of all data where it is missing. As root it can be entered, not read, by the account that runs PostgreSQL inside it. Throws a
 * sentence for the operator where the path is a file or may not be written.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  // For a read-only disk Node reports a missing parent folder, except for this one folder.
  const made = await mkdir(dataDir, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR') {
      throw new Error(
        `${dataDir} ${error.code === 'EEXIST' ? 'is' : 'is below'} a file, and the data needs a folder: set another DATA_DIR.`,
      );
    }
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dataDir);
    return dataDir;
  });
  await access(dataDir, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw new Error(`This account cannot write into ${dataDir}: give it the right, or set another DATA_DIR.`);
  });
  if (made) await chmod(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
}
