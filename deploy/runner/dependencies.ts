import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';

/**
 * `download` has package registries in reach. `build` has no network: it executes the scripts of packages, where the package manager can download
 * without them. `tool`: what npm installs where the machine has no such program, or the project names a version.
 */
type Recipe = {
  locks: readonly string[];
  also: readonly string[];
  download: string;
  build?: string;
  tool?: { name: string; usual: string };
};

const venv = 'python3 -m venv "$VIRTUAL_ENV"';

/** Yarn 1 and later ones have other options. */
function byYarn(classic: string, later: string): string {
  return `case $(yarn --version) in 1.*) ${classic} ;; *) ${later} ;; esac`;
}

/** How a package manager installs what its lock file names. `also`: files that say what is installed, beside the lock. */
const recipes: readonly Recipe[] = [
  {
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
    also: ['package.json', '.npmrc'],
    download: 'npm ci --ignore-scripts --no-audit --no-fund',
    build: 'npm ci --offline --no-audit --no-fund',
  },
  {
    locks: ['pnpm-lock.yaml'],
    also: ['package.json', 'pnpm-workspace.yaml', '.npmrc'],
    download: 'pnpm fetch --ignore-scripts --ignore-pnpmfile',
    // pnpm executes the scripts of what it installs anew, here from its store.
    build: 'rm -rf node_modules && pnpm install --frozen-lockfile --offline',
    tool: { name: 'pnpm', usual: 'pnpm@10' },
  },
  {
    locks: ['yarn.lock'],
    also: ['package.json', '.yarnrc', '.yarnrc.yml'],
    download: byYarn('yarn install --frozen-lockfile --ignore-scripts', 'yarn install --immutable --mode=skip-build'),
    build: byYarn('yarn install --frozen-lockfile --offline --force', 'YARN_ENABLE_NETWORK=0 yarn install --immutable'),
    tool: { name: 'yarn', usual: 'yarn@1' },
  },
  {
    locks: ['bun.lock', 'bun.lockb'],
    also: ['package.json', 'bunfig.toml'],
    download: 'bun install --frozen-lockfile --ignore-scripts',
    // Bun executes the scripts of what it installs anew, here from its cache.
    build: 'rm -rf node_modules && bun install --frozen-lockfile',
    tool: { name: 'bun', usual: 'bun@1' },
  },
  { locks: ['uv.lock'], also: ['pyproject.toml'], download: 'uv sync --frozen' },
  { locks: ['poetry.lock'], also: ['pyproject.toml'], download: `${venv} && poetry install --no-root --no-interaction` },
  { locks: ['requirements.txt'], also: [], download: `${venv} && "$VIRTUAL_ENV/bin/pip" install -r requirements.txt` },
  { locks: ['go.sum'], also: ['go.mod'], download: 'go mod download' },
  { locks: ['Cargo.lock'], also: ['Cargo.toml'], download: 'cargo fetch --locked' },
  { locks: ['Gemfile.lock'], also: ['Gemfile'], download: 'bundle install' },
];

/**
 * What is installed before the command of a job: `download` with package registries in reach, then `build` without a network, null for none. `key`: the
 * same for jobs of a project with the same locks; null where nothing is kept.
 */
export type InstallStep = { download: string; build: string | null; key: string | null };

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
  { name: /^requirements\.txt$/, text: /^\s*(-[erc]|--(editable|requirement|constraint)|[./])|\bfile:/m },
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

/**
 * Returns the install step of the files in a folder; null for none. `own`: the operator's command, which replaces those of the lock files.
 * `about`: what else results depend on. One project never gets what the files of another have installed.
 */
export async function installStepOf(
  folder: string,
  { own, project, about }: { own: string | null; project: string | null; about: readonly string[] },
): Promise<InstallStep | null> {
  if (own === 'off') return null;
  const atTop = new Set(recipes.flatMap(({ locks, also }) => [...locks, ...also]));
  const found = new Map<string, Buffer>();
  for (const name of (await filesIn(folder)).toSorted()) {
    if (atTop.has(name) || manifests.test(name)) found.set(name, await readFile(join(folder, name)).catch(() => Buffer.alloc(0)));
  }
  const used = recipes.filter(({ locks }) => locks.some((lock) => found.has(lock)));
  const download = own ?? used.map((recipe) => downloadOf(recipe, found)).join(' && ');
  if (download === '') return null;
  const build = own === null ? used.flatMap((recipe) => recipe.build ?? []).join(' && ') || null : null;
  if (project === null || used.length === 0) return { download, build, key: null };
  // Other packages of the repository are installed only from a workspace.
  const hasPackages = found.has('pnpm-workspace.yaml') || found.get('package.json')?.includes('"workspaces"') === true;
  const installed = [...found].filter(([name]) => hasPackages || !name.includes('/'));
  if (own === null && installed.some(([name, bytes]) => dependsOnFiles(name, bytes))) return { download, build, key: null };
  const hash = createHash('sha256');
  for (const text of [project, download, build ?? '', ...about]) hash.update(`${Buffer.byteLength(text)}:${text}`);
  for (const [name, bytes] of found) hash.update(`${name}:${bytes.length}:`).update(bytes);
  return { download, build, key: hash.digest('hex') };
}

/** Programs that a project names by version refuse to work in another one, and would download it without a network. */
function downloadOf({ download, tool }: Recipe, files: ReadonlyMap<string, Buffer>): string {
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
