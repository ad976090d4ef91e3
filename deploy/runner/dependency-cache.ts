import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { lstat, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What an install step leaves among the files, for `find`; all else of it is in the folder `deps`. */
const installedTests = [
  ...['-name', 'node_modules', '-o', '-name', '.pnp.cjs', '-o', '-name', '.pnp.loader.mjs'],
  ...['-o', '-path', './.yarn/unplugged', '-o', '-path', './.yarn/install-state.gz', '-o', '-path', './.yarn/build-state.yml'],
];
/** The ending of what is not an entry: one that is being made, or removed. */
const unfinished = '.part';

/**
 * Keeps what install steps have left, by a key. A job gets a copy, so no job changes what another gets. Above `maxBytes` the entries that
 * were not used for longest are removed, and none while a job copies it. One runner uses the folder.
 */
export class DependencyCache {
  readonly folder: string;
  readonly #maxBytes: number;
  /** How many jobs copy an entry at this time. */
  readonly #readers = new Map<string, number>();
  #trimmed = Promise.resolve();

  constructor(folder: string, maxBytes: number) {
    this.folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Removes what an earlier runner has left unfinished when it was killed. */
  async clean(): Promise<void> {
    const left = (await readdir(this.folder)).filter((name) => name.endsWith(unfinished));
    for (const name of left) await removeTree(join(this.folder, name));
  }

  /** Copies an entry into the folder of a job. Returns whether there is one. */
  async restore(key: string, job: string, signal: AbortSignal): Promise<boolean> {
    const entry = join(this.folder, key);
    this.#readers.set(key, (this.#readers.get(key) ?? 0) + 1);
    try {
      const now = new Date();
      const isKept = await utimes(entry, now, now).then(
        () => true,
        () => false,
      );
      if (isKept) await run('cp', ['-a', '--reflink=auto', `${entry}/.`, job], { signal });
      return isKept;
    } finally {
      const others = (this.#readers.get(key) ?? 0) - 1;
      if (others > 0) this.#readers.set(key, others);
      else this.#readers.delete(key);
    }
  }

  /** Keeps what the install step of a job has left. An entry is whole or absent. */
  async keep(key: string, job: string, signal: AbortSignal): Promise<void> {
    const part = join(this.folder, `${key}.${randomUUID()}${unfinished}`);
    // Behind a link could be what other projects have installed.
    for (const name of ['work', 'deps']) if (!(await lstat(join(job, name))).isDirectory()) return;
    try {
      await mkdir(join(part, 'work'), { recursive: true });
      await run('cp', ['-a', '--reflink=auto', join(job, 'deps'), part], { signal });
      const work = { cwd: join(job, 'work'), signal };
      // No link is followed, however deep the folders are. Where a job has made more paths than fit, the call fails.
      const notGit = ['.', '-name', '.git', '-prune', '-o'];
      const { stdout } = await run('find', [...notGit, '!', '-type', 'l', '(', ...installedTests, ')', '-print0', '-prune'], work);
      for (const path of stdout.split('\0').filter(Boolean)) {
        await run('cp', ['-a', '--reflink=auto', '--parents', path, join(part, 'work')], work);
      }
      // Another job may have kept the same meanwhile.
      await rename(part, join(this.folder, key)).catch(() => {});
    } finally {
      await removeTree(part);
    }
    this.#trimmed = this.#trimmed.catch(() => {}).then(() => this.#trim());
    await this.#trimmed;
  }

  async #trim(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => !name.endsWith(unfinished));
    const entries = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        const [{ stdout }, { mtimeMs }] = await Promise.all([run('du', ['-sk', path]), stat(path)]);
        return { path, mtimeMs, bytes: Number.parseInt(stdout, 10) * 1024 };
      }),
    );
    let total = 0;
    for (const { path, bytes, mtimeMs } of entries.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
      total += bytes;
      if (total <= this.#maxBytes || this.#readers.has(basename(path))) continue;
      // At once: a job that asks from now on finds none.
      const removed = `${path}.${mtimeMs}${unfinished}`;
      renameSync(path, removed);
      await removeTree(removed);
    }
  }
}

/** Removes a folder, whatever the modes and however deep the folders in it are. Never rejects. */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => run('rm', ['-rf', '--', folder]);
  await remove().catch(async () => {
    await run('chmod', ['-R', 'u+rwX', folder]).catch(() => {});
    await remove().catch(() => {});
  });
}
