import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installStepOf } from '../../../../deploy/runner/dependencies.ts';
import { readRunnerSettings } from '../../../../deploy/runner/runner-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};
const step = (about: { own?: string; project?: string | null } = {}) =>
  installStepOf(folder, { own: about.own ?? null, project: about.project === undefined ? 'p' : about.project, about: ['x64'] });

test.for<[string, RegExp]>([
  ['package-lock.json', /^npm ci/],
  ['pnpm-lock.yaml', /^pnpm install --frozen-lockfile$/],
  ['yarn.lock', /^yarn install --frozen-lockfile$/],
  ['bun.lock', /^bun install/],
  ['requirements.txt', /pip" install -r requirements\.txt$/],
  ['poetry.lock', /poetry install/],
  ['uv.lock', /^uv sync --frozen$/],
  ['go.sum', /^go mod download$/],
  ['Cargo.lock', /^cargo fetch --locked$/],
  ['Gemfile.lock', /^bundle install$/],
])('C5.04 %s says how dependencies are installed', async ([lock, command]) => {
  write({ [lock]: 'locks' });
  expect(await step()).toMatchObject({ command: expect.stringMatching(command), key: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('C5.04 the key follows the locks, their manifests and the project, and nothing else', async () => {
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

test('C5.04 without a lock, or switched off, nothing is installed; without a project nothing is kept', async () => {
  write({ 'package.json': '{}' });
  expect(await step()).toBeNull();
  write({ 'package-lock.json': '1' });
  expect(await step({ own: 'off' })).toBeNull();
  expect(await step({ project: null })).toMatchObject({ key: null });
});

test('C5.05 wrong settings are told by name, never by value', () => {
  const read = (env: Record<string, string>) => () => readRunnerSettings(env);
  expect(read({})()).toMatchObject({ host: '127.0.0.1', port: 5_002, token: null, sandbox: 'bubblewrap', hasNetwork: false, maxJobs: 2 });
  expect(read({ ARTEL_RUNNER_TOKEN: 'short' })).toThrow('ARTEL_RUNNER_TOKEN must have at least 16 characters.');
  expect(read({ ARTEL_RUNNER_HOST: '0.0.0.0' })).toThrow('ARTEL_RUNNER_TOKEN must be set where other machines reach the runner.');
  expect(read({ ARTEL_RUNNER_SANDBOX: 'none' })).toThrow('ARTEL_RUNNER_SANDBOX must be bubblewrap or container.');
  expect(read({ ARTEL_RUNNER_JOBS: '0' })).toThrow('ARTEL_RUNNER_JOBS must be from 1 to 64.');
});
