import { readFile } from 'node:fs/promises';

/** Returns the text of a file; null where there is none. Rejects when it cannot be read. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
