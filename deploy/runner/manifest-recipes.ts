import { z } from 'zod';
import { editable, pipArguments, requirementsOf } from './python-manifest.ts';

/** What package managers are for. A repository may have several. */
export type Ecosystem = 'node' | 'python' | 'go' | 'rust' | 'ruby';

/** The files of a project that say what is installed, by their paths. */
export type Manifests = ReadonlyMap<string, Buffer>;

/** A program that npm installs where the machine has none, and its usual version. */
export type Tool = { name: string; usual: string };

/**
 * How what a manifest names is installed without a lock file. `manifests`: the files that say it. `isKept`: all of the result is in the folders that
 * are kept, and the manifests tell it.
 */
export type ManifestInstall = { manifests: readonly string[]; download: string; build?: string; tool?: Tool; isKept: boolean };

export const venv = 'python3 -m venv "$VIRTUAL_ENV"';
/** The names that files of requirements for tests have. */
const testRequirements = ['requirements', 'dev-requirements', 'test-requirements']
  .concat(['dev', 'test', 'tests'].flatMap((name) => [`requirements-${name}`, `requirements_${name}`]))
  .map((name) => `${name}.txt`);
/** What pip has `setup.py` install beside the project: it ignores the extras that a project does not have. */
const usualExtras = ['test', 'tests', 'testing', 'dev'];

/** Yarn 1 and later ones have other options. */
export function byYarn(classic: string, later: string): string {
  return `case $(yarn --version) in 1.*) ${classic} ;; *) ${later} ;; esac`;
}

/** Returns the files of requirements at the top of a project, those for tests behind the others. */
export function requirementFiles(files: Manifests): string[] {
  return testRequirements.filter((name) => files.has(name));
}

export function pipInstall(names: readonly string[], requirements: readonly string[] = []): string {
  const words = [...names.map((name) => `-r ${name}`), ...(requirements.length > 0 ? [pipArguments(requirements)] : [])];
  return `${venv} && "$VIRTUAL_ENV/bin/pip" install ${words.join(' ')}`;
}

/** Files at the top that manifests without a lock file are read from. */
export const manifestNames = [
  'package.json',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  'setup.py',
  'go.mod',
  'Cargo.toml',
  'Gemfile',
].concat(testRequirements);

/** How each ecosystem installs what its manifests name, where it has no lock file; null where they name nothing, or cannot be read. */
export const manifestRecipes: Record<Ecosystem, (files: Manifests) => ManifestInstall | null> = {
  node: ofNode,
  python: ofPython,
  // It writes go.sum, which tests need.
  go: (files) => ofProgram(files, { manifest: 'go.mod', names: /^\s*require\b/m, program: 'go', download: 'go mod tidy' }),
  rust: (files) => ofProgram(files, { manifest: 'Cargo.toml', names: /^\s*\[.*dependencies/m, program: 'cargo', download: 'cargo fetch' }),
  ruby: (files) => ofProgram(files, { manifest: 'Gemfile', names: /^\s*(gem|gemspec)\b/m, program: 'bundle', download: 'bundle install' }),
};

const packageJson = z.looseObject({
  packageManager: z.string().catch(''),
  workspaces: z.unknown().optional(),
  ...Object.fromEntries(dependencyFields().map((name) => [name, z.record(z.string(), z.unknown()).catch({})])),
});

function dependencyFields(): string[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
}

const byNpm = {
  download: 'npm install --ignore-scripts --no-package-lock --no-audit --no-fund',
  // The first executes the scripts of packages, the second those of the project.
  build: 'npm rebuild && npm install --offline --no-package-lock --no-audit --no-fund',
  isKept: true,
};

const unlocked: Record<'npm' | 'pnpm' | 'yarn' | 'bun', Omit<ManifestInstall, 'manifests'>> = {
  npm: byNpm,
  pnpm: {
    download: 'pnpm install --no-lockfile --ignore-scripts --ignore-pnpmfile',
    build: 'rm -rf node_modules && pnpm install --no-lockfile --offline',
    tool: { name: 'pnpm', usual: 'pnpm@10' },
    isKept: true,
  },
  yarn: {
    // Later versions take a folder with this file as a project of its own.
    download: byYarn('yarn install --no-lockfile --ignore-scripts', 'touch yarn.lock && yarn install --no-immutable --mode=skip-build'),
    build: byYarn('yarn install --no-lockfile --offline --force', 'YARN_ENABLE_NETWORK=0 yarn install --no-immutable'),
    tool: { name: 'yarn', usual: 'yarn@1' },
    isKept: false,
  },
  // Each connection of Bun has the sign of one that hides its host, which the proxy refuses. Its packages are those of npm.
  bun: { ...byNpm, tool: { name: 'bun', usual: 'bun@1' } },
};

function ofNode(files: Manifests): ManifestInstall | null {
  const read = readPackage(files);
  if (!read) return null;
  const hasNames = dependencyFields().some((name) => Object.keys((read[name] ?? {}) as object).length > 0);
  if (!hasNames && read.workspaces === undefined && !files.has('pnpm-workspace.yaml')) return null;
  const [, named = ''] = /^([a-z]+)@/.exec(read.packageManager) ?? [];
  const manager = Object.hasOwn(unlocked, named) ? (named as keyof typeof unlocked) : files.has('pnpm-workspace.yaml') ? 'pnpm' : 'npm';
  return { manifests: ['package.json'], ...unlocked[manager] };
}

function readPackage(files: Manifests): z.infer<typeof packageJson> | null {
  try {
    return packageJson.parse(JSON.parse(files.get('package.json')?.toString('utf8') ?? ''));
  } catch {
    return null;
  }
}

/** Manifests of other languages: beside one of these Python may be no part of what is tested. */
const otherManifests = ['package.json', 'go.mod', 'Cargo.toml', 'Gemfile'];

/** The project itself is a part of the result, so it is installed anew for each job. */
function ofPython(files: Manifests): ManifestInstall | null {
  const names = requirementFiles(files);
  const pyproject = files.get('pyproject.toml');
  const read = pyproject ? (requirementsOf(pyproject.toString('utf8')) ?? []) : [];
  const own = read.length === 0 && files.has('setup.py') ? [editable(usualExtras)] : read;
  if (names.length === 0 && own.length === 0) return null;
  const manifests = [...names, ...(own.length === 0 ? [] : [read.length > 0 ? 'pyproject.toml' : 'setup.py'])];
  const install = pipInstall(names, own);
  const lack = `echo "The runner has no Python that makes environments: what ${manifests.join(', ')} names is not installed."`;
  const guarded = `if python3 -c "import venv, ensurepip" 2>/dev/null; then ${install}; else ${lack}; fi`;
  return { manifests, download: otherManifests.some((name) => files.has(name)) ? guarded : install, isKept: false };
}

type ProgramRecipe = { manifest: string; names: RegExp; program: string; download: string };

/** A manifest of another language may lie beside what is tested, as the pages of a project have one: without its program nothing fails. */
function ofProgram(files: Manifests, { manifest, names, program, download }: ProgramRecipe): ManifestInstall | null {
  if (!names.test(files.get(manifest)?.toString('utf8') ?? '')) return null;
  const lack = `echo "The runner has no ${program}: what ${manifest} names is not installed."`;
  return { manifests: [manifest], download: `if command -v ${program} >/dev/null; then ${download}; else ${lack}; fi`, isKept: false };
}
