import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an install step leaves in the folder of the files; all else of it is in the folder `deps`. */
const installed = new Set(['node_modules', '.pnp.cjs', '.pnp.loader.mjs']);

/**
 * Keeps what install steps have left, by a key. A job gets a copy, so no job changes what another gets. Above `maxBytes` the entries that
 * were not used for longest are removed.
 */
export class DependencyCache {
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Copies an entry into the folder of a job. Returns whether there is one. */
  async restore(key: string, job: string, signal: AbortSignal): Promise<boolean> {
    const entry = join(this.#folder, key);
    const now = new Date();
    const isKept = await utimes(entry, now, now).then(
      () => true,
      () => false,
    );
    if (isKept) await run('cp', ['-a', '--reflink=auto', `${entry}/.`, job], { signal });
    return isKept;
  }

  /** Keeps what the install step of a job has left. An entry is whole or absent. */
  async keep(key: string, job: string, signal: AbortSignal): Promise<void> {
    const part = join(this.#folder, `${key}.${randomUUID()}.part`);
    // Behind a link could be what other projects have installed.
    for (const name of ['work', 'deps']) if (!(await lstat(join(job, name))).isDirectory()) return;
    try {
      await mkdir(join(part, 'work'), { recursive: true });
      await run('cp', ['-a', '--reflink=auto', join(job, 'deps'), part], { signal });
      for (const path of await installedIn(join(job, 'work'))) {
        await run('cp', ['-a', '--reflink=auto', '--parents', `./${path}`, join(part, 'work')], { cwd: join(job, 'work'), signal });
      }
      // Another job may have kept the same meanwhile.
      await rename(part, join(this.#folder, key)).catch(() => {});
      await this.#trim();
    } finally {
      await removeTree(part);
    }
  }

  async #trim(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => !name.endsWith('.part'));
    const entries = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const [{ stdout }, { mtimeMs }] = await Promise.all([run('du', ['-sk', path]), stat(path)]);
        return { path, mtimeMs, bytes: Number.parseInt(stdout, 10) * 1024 };
      }),
    );
    let total = 0;
    for (const { path, bytes } of entries.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
      total += bytes;
      if (total > this.#maxBytes) await removeTree(path);
    }
  }
}

/** Returns the paths of what was installed, at any depth, and nothing behind a link. */
async function installedIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const paths = entries.map(async (entry): Promise<string[]> => {
    const path = join(below, entry.name);
    if (installed.has(entry.name) && !entry.isSymbolicLink()) return [path];
    return entry.isDirectory() && entry.name !== '.git' ? installedIn(folder, path) : [];
  });
  return (await Promise.all(paths)).flat();
}

/** Removes a folder whatever the modes in it are. Never rejects. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async () => {
    await run('chmod', ['-R', 'u+rwX', folder]).catch(() => {});
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  });
}
