import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Recipe = { locks: readonly string[]; also: readonly string[]; command: string };

const venv = 'python3 -m venv "$VIRTUAL_ENV"';

/** How a package manager installs what its lock file names. `also`: files that say what is installed, beside the lock. */
const recipes: readonly Recipe[] = [
  { locks: ['package-lock.json', 'npm-shrinkwrap.json'], also: ['package.json', '.npmrc'], command: 'npm ci --no-audit --no-fund' },
  {
    locks: ['pnpm-lock.yaml'],
    also: ['package.json', 'pnpm-workspace.yaml', '.npmrc'],
    command: 'pnpm install --frozen-lockfile',
  },
  { locks: ['yarn.lock'], also: ['package.json', '.yarnrc', '.yarnrc.yml'], command: 'yarn install --frozen-lockfile' },
  { locks: ['bun.lock', 'bun.lockb'], also: ['package.json', 'bunfig.toml'], command: 'bun install --frozen-lockfile' },
  { locks: ['uv.lock'], also: ['pyproject.toml'], command: 'uv sync --frozen' },
  { locks: ['poetry.lock'], also: ['pyproject.toml'], command: `${venv} && poetry install --no-root --no-interaction` },
  { locks: ['requirements.txt'], also: [], command: `${venv} && "$VIRTUAL_ENV/bin/pip" install -r requirements.txt` },
  { locks: ['go.sum'], also: ['go.mod'], command: 'go mod download' },
  { locks: ['Cargo.lock'], also: ['Cargo.toml'], command: 'cargo fetch --locked' },
  { locks: ['Gemfile.lock'], also: ['Gemfile'], command: 'bundle install' },
];

/** What is installed before the command of a job. `key`: the same for jobs of a project with the same locks; null where nothing is kept. */
export type InstallStep = { command: string; key: string | null };

/**
 * Returns the install step of the files in a folder; null for none. `own`: the operator's command, which replaces those of the lock files.
 * `about`: what else results depend on. One project never gets what the files of another have installed.
 */
export async function installStepOf(
  folder: string,
  { own, project, about }: { own: string | null; project: string | null; about: readonly string[] },
): Promise<InstallStep | null> {
  if (own === 'off') return null;
  const names = [...new Set(recipes.flatMap(({ locks, also }) => [...locks, ...also]))];
  const found = new Map<string, Buffer>();
  for (const name of names) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes) found.set(name, bytes);
  }
  const used = recipes.filter(({ locks }) => locks.some((lock) => found.has(lock)));
  const command = own ?? used.map((recipe) => recipe.command).join(' && ');
  if (command === '' || (own === null && used.length === 0)) return null;
  if (project === null || used.length === 0) return { command, key: null };
  const hash = createHash('sha256');
  for (const text of [project, command, ...about]) hash.update(`${Buffer.byteLength(text)}:${text}`);
  for (const [name, bytes] of found) hash.update(`${name}:${bytes.length}:`).update(bytes);
  return { command, key: hash.digest('hex') };
}
