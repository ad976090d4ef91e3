import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installStepOf } from '../../../../deploy/runner/dependencies.ts';
import { readRunnerSettings } from '../../../../deploy/runner/runner-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const step = (about: Partial<Parameters<typeof installStepOf>[1]> = {}) =>
  installStepOf(folder, { own: null, policy: 'manifest', project: 'p', about: ['x64'], today: '2026-11-30', ...about });
const json = (value: object) => JSON.stringify(value);

test.for<[string, RegExp, RegExp?]>([
  ['package-lock.json', /^npm ci --ignore-scripts/, /^npm ci --offline/],
  [
    'pnpm-lock.yaml',
    /^\{ command -v pnpm .* npm install --global pnpm@10; \} && pnpm fetch --ignore-scripts --ignore-pnpmfile$/,
    /^rm -rf node_modules && pnpm install --frozen-lockfile --offline$/,
  ],
  [
    'yarn.lock',
    /global yarn@1; \} && .*--frozen-lockfile --ignore-scripts .*--mode=skip-build/,
    /--offline --force .*YARN_ENABLE_NETWORK=0/,
  ],
  ['bun.lock', /global bun@1; \} && bun install .*--ignore-scripts$/, /bun install --frozen-lockfile$/],
  ['requirements.txt', /pip" install -r requirements\.txt$/],
  ['poetry.lock', /poetry install/],
  ['uv.lock', /^uv sync --frozen$/],
  ['go.sum', /^go mod download$/],
  ['Cargo.lock', /^cargo fetch --locked$/],
  ['Gemfile.lock', /^bundle install$/],
])('C5.04 %s says how dependencies are downloaded, and built without a network where that is apart', async ([lock, download, build]) => {
  write({ [lock]: 'locks' });
  expect(await step()).toMatchObject({
    download: expect.stringMatching(download),
    build: build ? expect.stringMatching(build) : null,
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test.for([
  ['pnpm-lock.yaml', 'pnpm@9.15.0+sha512.abc', /^npm install --global pnpm@9\.15\.0 && pnpm fetch/],
  ['yarn.lock', 'yarn@4.9.2', /^npm install --global @yarnpkg\/cli-dist@4\.9\.2 && case/],
  ['yarn.lock', 'yarn@1.22.22', /^npm install --global yarn@1\.22\.22 && case/],
  ['yarn.lock', 'yarn@$(id)', /^\{ command -v yarn/],
  ['yarn.lock', 'pnpm@9.15.0', /^\{ command -v yarn/],
] as const)('C5.04 with %s and %s the version that the project names is installed', async ([lock, packageManager, command]) => {
  write({ [lock]: '1', 'package.json': JSON.stringify({ packageManager }) });
  expect((await step())?.download).toMatch(command);
});

test('C5.04 the key changes with the lock files, their manifests, the project and the operator’s step, and with no other file', async () => {
  write({ 'package-lock.json': '1', 'package.json': '{}', 'src.js': '1' });
  const key = (await step())?.key;
  write({ 'src.js': '2' });
  expect((await step())?.key).toBe(key);
  expect((await step({ project: 'other' }))?.key).not.toBe(key);
  expect((await step({ own: 'make deps' }))?.key).not.toBe(key);
  write({ 'package.json': '{"a":1}' });
  expect((await step())?.key).not.toBe(key);
  write({ 'package.json': '{}', 'package-lock.json': '2' });
  expect((await step())?.key).not.toBe(key);
});

test.for<[string, string]>([
  ['package-lock.json', 'packages/web/package.json'],
  ['package-lock.json', 'patches/left-pad.patch'],
  ['yarn.lock', '.yarn/releases/yarn.cjs'],
  ['pnpm-lock.yaml', '.pnpmfile.cjs'],
  ['uv.lock', 'lib/pyproject.toml'],
])('C5.04 with %s the key follows %s, too', async ([lock, other]) => {
  write({ [lock]: '1', [other]: '{}' });
  const key = (await step())?.key;
  expect(key).toBeTruthy();
  write({ [other]: '{"a":1}' });
  expect((await step())?.key).not.toBe(key);
});

const withScript = (scripts: object) => ({ 'package-lock.json': '1', 'package.json': JSON.stringify({ scripts }) });

test.for<[string, Record<string, string>, boolean]>([
  ['executes a script of the project', withScript({ postinstall: 'node make.js' }), false],
  ['builds the project', withScript({ prepare: 'npm run build' }), false],
  ['builds an addon', { 'package-lock.json': '1', 'package.json': '{}', 'binding.gyp': '{}' }, false],
  ['has broken scripts', { 'package-lock.json': '1', 'package.json': '{' }, false],
  [
    'executes a script of a workspace',
    { ...withScript({}), 'package.json': '{"workspaces":["a"]}', 'a/package.json': '{"scripts":{"install":"x"}}' },
    false,
  ],
  ['copies a folder', { 'yarn.lock': '1', 'package.json': '{"dependencies":{"a":"file:./a"}}' }, false],
  ['names further requirements', { 'requirements.txt': 'pytest\n-r more.txt\n' }, false],
  ['installs the project', { 'requirements.txt': '-e .\n' }, false],
  ['loads code of a gem', { 'Gemfile.lock': '1', Gemfile: 'gemspec' }, false],
  ['executes a program from elsewhere', { 'yarn.lock': '1', '.yarnrc.yml': 'yarnPath: tools/yarn.cjs' }, false],
  ['executes a program whose bytes are in the key', { 'yarn.lock': '1', '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn.cjs' }, true],
  ['sets up Git', withScript({ prepare: 'husky || true', test: 'node --test' }), true],
  ['has a package that is data of tests', { ...withScript({}), 'test/data/package.json': '{"scripts":{"install":"x"}}' }, true],
])(
  'C5.04 the result of an install step is cached only where locks describe the whole result: a step that %s',
  async ([, files, isKept]) => {
    write(files);
    expect((await step())?.key).toEqual(isKept ? expect.stringMatching(/^[0-9a-f]{64}$/) : null);
  },
);

test('C5.04 nothing is installed where no file names packages or the step is off, and nothing is kept without a project', async () => {
  write({
    'package.json': '{}',
    'pyproject.toml': '[tool.ruff]\nline-length = 100\n',
    'go.mod': 'module a\n',
    'Cargo.toml': '[package]\n',
  });
  expect(await step()).toBeNull();
  write({ 'package-lock.json': '1' });
  expect(await step({ own: 'off' })).toBeNull();
  // The operator's own step goes before the choice of a project.
  expect(await step({ own: 'make deps', policy: 'off' })).toMatchObject({ download: 'make deps' });
  expect(await step({ policy: 'off' })).toBeNull();
  expect(await step({ project: null })).toMatchObject({ key: null });
});

const library = json({ devDependencies: { vitest: '^4.0.0' } });

test.for<[manifest: string, files: Record<string, string>, download: RegExp, build: RegExp | null]>([
  ['package.json', { 'package.json': library }, /^npm install --ignore-scripts --no-package-lock/, /^npm rebuild && npm install --offline/],
  [
    'package.json',
    { 'package.json': json({ dependencies: { a: '1' }, packageManager: 'pnpm@9.15.0' }) },
    /^npm install --global pnpm@9\.15\.0 && pnpm install --no-lockfile --ignore-scripts --ignore-pnpmfile$/,
    /pnpm install --no-lockfile --offline$/,
  ],
  [
    'package.json',
    { 'package.json': json({ dependencies: { a: '1' }, packageManager: 'bun@1.2.15' }) },
    /^npm install --global bun@1\.2\.15 && npm install --ignore-scripts --no-package-lock/,
    /^npm rebuild/,
  ],
  ['package.json', { 'package.json': library, 'pnpm-workspace.yaml': 'packages: []' }, /&& pnpm install/, /pnpm/],
  ['requirements-dev.txt', { 'requirements-dev.txt': 'pytest' }, /pip" install -r requirements-dev\.txt$/, null],
  ['setup.py', { 'setup.py': 'setup()' }, /pip" install -e '\.\[test,tests,testing,dev\]'$/, null],
  ['go.mod', { 'go.mod': 'module a\nrequire b v1.0.0\n' }, /^if command -v go >\/dev\/null; then go mod tidy; else echo /, null],
  ['Cargo.toml', { 'Cargo.toml': '[dependencies]\nserde = "1"\n' }, /then cargo fetch;/, null],
  ['Gemfile', { Gemfile: "source 'https://rubygems.org'\ngem 'rake'\n" }, /then bundle install;/, null],
])('C5.09 without a lock file what %s names is installed', async ([manifest, files, download, build]) => {
  write(files);
  const found = await step();
  expect(found).toMatchObject({
    download: expect.stringMatching(download),
    build: build && expect.stringMatching(build),
    unlocked: [manifest],
  });
  expect(await step({ policy: 'lock' })).toBeNull();
});

test.for<[string, string]>([
  [
    '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "a"\n[project.optional-dependencies]\ntest = ["pytest"]\ndocs = ["sphinx"]\n',
    "-e '.[test]'",
  ],
  ['[build-system]\n[dependency-groups]\ndev = [{include-group = "test"}, "ruff"]\ntest = ["pytest>=8", "x; os_name == \'nt\'"]\n', ''],
  ['[project]\ndependencies = ["requests>=2", "--index-url=https://evil.example", "a\\nb"]\n', "'requests>=2'"],
  [
    '[tool.poetry.dependencies]\npython = "^3.11"\nattrs = "^23.1"\n[tool.poetry.group.dev.dependencies]\npytest = {version = "*"}\n',
    "'attrs>=23.1' 'pytest'",
  ],
  ['[build-system]\n[tool.hatch.envs.default]\ndependencies = ["pytest"]\n', "-e '.' 'pytest'"],
])('C5.09 pip gets what pyproject.toml names, and what tests usually need, as words and never as options: %s', async ([text, words]) => {
  write({ 'pyproject.toml': text });
  const wanted = words || `-e '.' 'pytest>=8' 'x; os_name == '\\''nt'\\''' 'ruff'`;
  expect((await step())?.download).toBe(`python3 -m venv "$VIRTUAL_ENV" && "$VIRTUAL_ENV/bin/pip" install ${wanted}`);
});

test('C5.09 a manifest that cannot be read installs nothing: the test command shows what is wrong with it', async () => {
  write({ 'package.json': '{', 'pyproject.toml': '[project' });
  expect(await step()).toBeNull();
});

test('C5.09 a lock file counts for its own language alone, and what is installed without one is kept for a day', async () => {
  write({ 'package-lock.json': '1', 'package.json': library, 'requirements.txt': 'pytest' });
  expect(await step()).toMatchObject({ unlocked: [], download: expect.stringMatching(/^npm ci .* && python3/) });
  rmSync(join(folder, 'package-lock.json'));
  const { key, unlocked } = (await step()) ?? {};
  expect([key, unlocked]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), ['package.json']]);
  expect((await step())?.key).toBe(key);
  expect((await step({ today: '2026-12-01' }))?.key).not.toBe(key);
  write({ 'package.json': json({ devDependencies: { vitest: '^4' }, scripts: { prepare: 'tsc' } }) });
  expect((await step())?.key).toBeNull();
});

test('C5.05 a wrong setting is reported by its name, never by its value', () => {
  const read = (env: Record<string, string>) => () => readRunnerSettings(env);
  expect(read({})()).toMatchObject({
    host: '127.0.0.1',
    port: 5_002,
    token: null,
    sandbox: 'bubblewrap',
    hasNetwork: false,
    asksForHosts: true,
    maxJobs: 2,
  });
  expect(read({ ARTEL_RUNNER_TOKEN: 'short' })).toThrow('ARTEL_RUNNER_TOKEN must have at least 16 characters.');
  expect(read({ ARTEL_RUNNER_HOST: '0.0.0.0' })).toThrow('ARTEL_RUNNER_TOKEN must be set where other machines reach the runner.');
  expect(read({ ARTEL_RUNNER_SANDBOX: 'none' })).toThrow('ARTEL_RUNNER_SANDBOX must be bubblewrap or container.');
  expect(read({ ARTEL_RUNNER_INSTALL_VARIABLES: 'HTTPS_PROXY,ARTEL_RUNNER_TOKEN' })).toThrow('and none of the runner.');
  expect(read({ ARTEL_RUNNER_INSTALL_VARIABLES: 'npm_config_registry,GONE', npm_config_registry: 'r', SECRET: 's' })()).toMatchObject({
    installVariables: { npm_config_registry: 'r' },
    parentProxy: null,
  });
  // The runner's proxy goes through that of the operator, whose password no job reads.
  expect(read({ ARTEL_RUNNER_INSTALL_VARIABLES: 'HTTPS_PROXY', HTTPS_PROXY: 'http://u:p@proxy.test:3128' })()).toMatchObject({
    installVariables: {},
    parentProxy: new URL('http://u:p@proxy.test:3128'),
  });
  expect(read({ ARTEL_RUNNER_REGISTRIES: 'https://a.test' })).toThrow('ARTEL_RUNNER_REGISTRIES must be names of hosts');
  expect(read({ ARTEL_RUNNER_WORK_DIR: `/${'deep/'.repeat(30)}` })).toThrow('ARTEL_RUNNER_WORK_DIR must have at most 90 bytes.');
  expect(read({ ARTEL_RUNNER_JOBS: '0' })).toThrow('ARTEL_RUNNER_JOBS must be from 1 to 64.');
});
