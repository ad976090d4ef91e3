import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { InstallPolicy } from '../../contract/runner.ts';
import {
  byYarn,
  type Ecosystem,
  type ManifestInstall,
  type Manifests,
  manifestNames,
  manifestRecipes,
  pipInstall,
  requirementFiles,
  type Tool,
  venv,
} from './manifest-recipes.ts';

/**
 * `download` has package registries in reach. `build` has no network: it executes the scripts of packages, where the package manager can download
 * without them. `tool`: what npm installs where the machine has no such program, or the project names a version.
 */
type Recipe = {
  of: Ecosystem;
  locks: readonly string[];
  also: readonly string[];
  download: string | ((files: Manifests) => string);
  build?: string;
  tool?: Tool;
};

/** How a package manager installs what its lock file names. `also`: files that say what is installed, beside the lock. */
const recipes: readonly Recipe[] = [
  {
    of: 'node',
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
    also: ['package.json', '.npmrc'],
    download: 'npm ci --ignore-scripts --no-audit --no-fund',
    build: 'npm ci --offline --no-audit --no-fund',
  },
  {
    of: 'node',
    locks: ['pnpm-lock.yaml'],
    also: ['package.json', 'pnpm-workspace.yaml', '.npmrc'],
    download: 'pnpm fetch --ignore-scripts --ignore-pnpmfile',
    // pnpm executes the scripts of what it installs anew, here from its store.
    build: 'rm -rf node_modules && pnpm install --frozen-lockfile --offline',
    tool: { name: 'pnpm', usual: 'pnpm@10' },
  },
  {
    of: 'node',
    locks: ['yarn.lock'],
    also: ['package.json', '.yarnrc', '.yarnrc.yml'],
    download: byYarn('yarn install --frozen-lockfile --ignore-scripts', 'yarn install --immutable --mode=skip-build'),
    build: byYarn('yarn install --frozen-lockfile --offline --force', 'YARN_ENABLE_NETWORK=0 yarn install --immutable'),
    tool: { name: 'yarn', usual: 'yarn@1' },
  },
  {
    of: 'node',
    locks: ['bun.lock', 'bun.lockb'],
    also: ['package.json', 'bunfig.toml'],
    download: 'bun install --frozen-lockfile --ignore-scripts',
    // Bun executes the scripts of what it installs anew, here from its cache.
    build: 'rm -rf node_modules && bun install --frozen-lockfile',
    tool: { name: 'bun', usual: 'bun@1' },
  },
  { of: 'python', locks: ['uv.lock'], also: ['pyproject.toml'], download: 'uv sync --frozen' },
  {
    of: 'python',
    locks: ['poetry.lock'],
    also: ['pyproject.toml'],
    download: `${venv} && poetry install --no-root --no-interaction`,
  },
  { of: 'python', locks: ['requirements.txt'], also: [], download: (files) => pipInstall(requirementFiles(files)) },
  { of: 'go', locks: ['go.sum'], also: ['go.mod'], download: 'go mod download' },
  { of: 'rust', locks: ['Cargo.lock'], also: ['Cargo.toml'], download: 'cargo fetch --locked' },
  { of: 'ruby', locks: ['Gemfile.lock'], also: ['Gemfile'], download: 'bundle install' },
];

/**
 * What is installed before the command of a job: `download` with package registries in reach, then `build` without a network, null for none. `key`: the
 * same for jobs of a project with the same locks; null where nothing is kept. `unlocked`: the manifests that say what is installed, where no lock file does.
 * `files`: the lock files and manifests, as they were sent.
 */
export type InstallStep = { download: string; build: string | null; key: string | null; unlocked: readonly string[]; files: Manifests };

/** Files of any folder that say what is installed, beside those at the top. */
const manifests =
  /(^|\/)(package\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pyproject\.toml|setup\.(py|cfg)|binding\.gyp|go\.mod|Cargo\.toml|[^/]*\.gemspec)$|(^|\/)(patches|\.yarn\/(releases|plugins|patches))\//;
/** Scripts of npm that an install step executes. */
const lifecycle = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];
/** Scripts that set up Git alone, or follow from `patches`. */
const harmless = /^(husky( install)?|lefthook install|simple-git-hooks|patch-package)( \|\| (true|exit 0))?$/;
/** What a file takes from other files, which may be any. */
const takesFiles: readonly { name: RegExp; text: RegExp }[] = [
  { name: /(^|\/)package\.json$/, text: /"(file|portal):/ },
  { name: /(^|\/)\.yarnrc(\.yml)?$/, text: /yarn-?path:?\s+["']?(?!["']|(\.\/)?\.yarn\/)/i },
  // npm builds it without a script.
  { name: /(^|\/)binding\.gyp$/, text: /^/ },
  { name: /^([a-z]+-)?requirements([-_][a-z]+)?\.txt$/, text: /^\s*(-[erc]|--(editable|requirement|constraint)|[./])|\bfile:/m },
  { name: /^(Gemfile|.*\.gemspec)$/, text: /\b(gemspec|path|eval_gemfile|require_relative|load|File)\b/ },
];

/** What the install step executes or copies of the project's own is not told by locks: it is done anew for each job. */
function dependsOnFiles(name: string, bytes: Buffer): boolean {
  const text = bytes.toString('utf8');
  if (takesFiles.some((one) => one.name.test(name) && one.text.test(text))) return true;
  if (basename(name) !== 'package.json') return false;
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return lifecycle.some((script) => Object.hasOwn(scripts, script) && !harmless.test(String(scripts[script]).trim()));
  } catch {
    return true;
  }
}

type StepAbout = {
  /** The operator's command, which replaces those of lock files and manifests; `off` for none. */
  own: string | null;
  policy: InstallPolicy;
  project: string | null;
  /** What else results depend on. */
  about: readonly string[];
  /** What is installed without a lock file is kept for this day (`2026-11-30`): then the newest versions are looked for again. */
  today: string;
};

/** Returns the install step of the files in a folder; null for none. One project never gets what the files of another have installed. */
export async function installStepOf(folder: string, { own, policy, project, about, today }: StepAbout): Promise<InstallStep | null> {
  if (own === 'off' || (own === null && policy === 'off')) return null;
  const found = await readManifests(folder);
  const used = recipes.filter(({ locks }) => locks.some((lock) => found.has(lock)));
  if (own !== null) {
    const key = project === null || used.length === 0 ? null : keyOf(found, [project, own, '', ...about]);
    return { download: own, build: null, key, unlocked: [], files: found };
  }
  const unlocked = policy === 'lock' ? [] : unlockedInstalls(found, used);
  const steps = [...used, ...unlocked];
  if (steps.length === 0) return null;
  const download = steps.map((one) => downloadOf(one, found)).join(' && ');
  const build = steps.flatMap((one) => one.build ?? []).join(' && ') || null;
  const manifests = unlocked.flatMap((one) => one.manifests);
  const isKept = project !== null && unlocked.every((one) => one.isKept) && !isMadeOfFiles(found);
  const parts = [project ?? '', download, build ?? '', ...about, ...(unlocked.length > 0 ? [today] : [])];
  return { download, build, key: isKept ? keyOf(found, parts) : null, unlocked: manifests, files: found };
}

/** Returns what the manifests of those ecosystems name that have no lock file. */
function unlockedInstalls(files: Manifests, used: readonly Recipe[]): ManifestInstall[] {
  const locked = new Set(used.map((recipe) => recipe.of));
  return Object.entries(manifestRecipes).flatMap(([name, read]) => (locked.has(name as Ecosystem) ? [] : (read(files) ?? [])));
}

async function readManifests(folder: string): Promise<Map<string, Buffer>> {
  const atTop = new Set([...recipes.flatMap(({ locks, also }) => [...locks, ...also]), ...manifestNames]);
  const found = new Map<string, Buffer>();
  for (const name of (await filesIn(folder)).toSorted()) {
    if (atTop.has(name) || manifests.test(name)) found.set(name, await readFile(join(folder, name)).catch(() => Buffer.alloc(0)));
  }
  return found;
}

function isMadeOfFiles(files: Manifests): boolean {
  // Other packages of the repository are installed only from a workspace.
  const hasPackages = files.has('pnpm-workspace.yaml') || files.get('package.json')?.includes('"workspaces"') === true;
  const installed = [...files].filter(([name]) => hasPackages || !name.includes('/'));
  return installed.some(([name, bytes]) => dependsOnFiles(name, bytes));
}

function keyOf(files: Manifests, parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of parts) hash.update(`${Buffer.byteLength(text)}:${text}`);
  for (const [name, bytes] of files) hash.update(`${name}:${bytes.length}:`).update(bytes);
  return hash.digest('hex');
}

/** Programs that a project names by version refuse to work in another one, and would download it without a network. */
function downloadOf({ download: told, tool }: Pick<Recipe, 'download' | 'tool'>, files: Manifests): string {
  const download = typeof told === 'string' ? told : told(files);
  if (!tool) return download;
  const [, name, version = ''] =
    /"packageManager"\s*:\s*"([a-z]+)@(\d+\.\d+\.\d+(-[\w.]+)?)/.exec(files.get('package.json')?.toString('utf8') ?? '') ?? [];
  const isNew = tool.name === 'yarn' && !version.startsWith('1.');
  if (name === tool.name) return `npm install --global ${isNew ? '@yarnpkg/cli-dist' : name}@${version} && ${download}`;
  return `{ command -v ${tool.name} >/dev/null || npm install --global ${tool.usual}; } && ${download}`;
}

/** Returns the paths of the files of a project: those that the job was sent. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).filter((path) => !/(^|\/)node_modules\//.test(path));
}
