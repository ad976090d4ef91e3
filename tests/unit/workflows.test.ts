import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readYaml } from '../support/deploy/read-yaml.ts';
import { setUpFolder } from '../support/set-up/for-vitest.ts';

type Step = { id?: string; name?: string; uses?: string; run?: string; env?: Record<string, string>; with?: Record<string, unknown> };
type Job = { uses?: string; needs?: string | string[]; steps?: Step[]; permissions?: Record<string, string>; 'timeout-minutes'?: number };
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

const folder = setUpFolder();
const workflowFolder = '.github/workflows';
const workflows = readdirSync(join(import.meta.dirname, '../..', workflowFolder)).map(
  (file) => [file, readYaml<Workflow>(`${workflowFolder}/${file}`)] as const,
);
const { jobs } = readYaml<Workflow>(`${workflowFolder}/release.yml`);
const stepsOf = (name: string) => jobs[name]?.steps ?? [];
const runsOf = (name: string) => stepsOf(name).map(({ run = '' }) => run);

/** The jobs that a job waits for, and those that they wait for. */
function neededBy(name: string): string[] {
  const needed = [jobs[name]?.needs ?? []].flat();
  return [...new Set([...needed, ...needed.flatMap(neededBy)])];
}

test('R10.01 every action is of one version in all workflows, and every job has a limit and the right to read only, unless it publishes', () => {
  const used = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses = [] }) => uses)));
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
  const versions = new Map<string, Set<string>>();
  for (const [action = '', version = ''] of used.map((one) => one.split('@')))
    versions.set(action, (versions.get(action) ?? new Set()).add(version));
  expect([...versions].filter(([, { size }]) => size > 1)).toEqual([]);
  for (const [file, { permissions, jobs }] of workflows) {
    expect([file, permissions]).toEqual([file, { contents: 'read' }]);
    for (const [name, job] of Object.entries(jobs)) expect([file, name, job.uses ?? job['timeout-minutes']]).not.toContain(undefined);
  }
  const writing = Object.entries(jobs).filter(([, { permissions = {} }]) => Object.values(permissions).includes('write'));
  expect(writing.map(([name]) => name)).toEqual(['npm-access', 'publish-package', 'images', 'notes']);
});

test('R10.01 nothing is released before all tests, first runs of the package and the image, and a scan of the images', () => {
  expect(jobs.tests?.uses).toBe('./.github/workflows/tests.yml');
  expect(neededBy('images').toSorted()).toEqual(['first-start', 'first-start-wsl', 'npm-access', 'package', 'scan', 'tests']);
  expect(neededBy('publish-package')).toContain('images');
  expect(neededBy('notes')).toEqual(expect.arrayContaining(['publish-package', 'images']));
  const actionsOf = (job: string) =>
    stepsOf(job).map(({ uses = '', run = '' }) => uses.split('@')[0] || run.split(' ').slice(0, 2).join(' '));
  expect([actionsOf('scan')[2], actionsOf('scan').at(-1)]).toEqual(['docker/build-push-action', 'anchore/scan-action']);
  const publishing = ['npm pkg', 'docker/build-push-action', 'cosign sign'];
  expect(actionsOf('images').filter((action) => publishing.includes(String(action)))).toEqual(publishing);
  expect(stepsOf('images').filter(({ with: given }) => given?.push === true)).toHaveLength(1);
  for (const job of ['first-start', 'first-start-wsl']) expect(runsOf(job).join('\n')).toMatch(/\/scripts\/first-run\.js[\s\S]*npx --yes/);
  const started = runsOf('scan').join('\n');
  expect(started).toMatch(/first-run\.js .* docker run --rm .*-v artel:\/data scanned$/m);
  expect(started).toMatch(/compose up [^\n]*--wait .*\n[\s\S]*npm run restore -- [\s\S]*compose up [^\n]*--wait /);
  // With the rights that compose gives the runner.
  const { services } = readYaml<{ services: { runner: { cap_add: string[] } } }>('deploy/services.yaml');
  expect(started).toContain(`'--cap-add %s ' ${services.runner.cap_add.join(' ')})`);
});

test('R10.01 the tag of a release is the version of package.json, has notes, and gives each image three names', () => {
  const runs = runsOf('package').join('\n');
  expect(runs).toContain('test "$GITHUB_REF_NAME" = "v$version"');
  expect(runs).toContain('test -s notes.md');
  const named = stepsOf('images').find(({ uses = '' }) => uses.startsWith('docker/metadata-action'));
  expect(String(named?.with?.tags).trim().split('\n')).toEqual(
    ['{{version}}', '{{major}}.{{minor}}', `{{major}},enable=\${{ needs.package.outputs.is-newest-of-major }}`].map(
      (pattern) => `type=semver,pattern=${pattern}`,
    ),
  );
  expect(named?.with?.flavor).toBe(`latest=\${{ needs.package.outputs.is-newest }}`);
});

test.each([
  ['v1.4.2', { 'is-newest': 'false', 'is-newest-of-major': 'true' }],
  ['v1.3.9', { 'is-newest': 'false', 'is-newest-of-major': 'false' }],
  ['v10.0.0', { 'is-newest': 'true', 'is-newest-of-major': 'true' }],
])('R10.01 the tag %s names its release latest only where no other is newer', async (tag, expected) => {
  const { run = '' } = stepsOf('package').find(({ id }) => id === 'place') ?? {};
  const tags = ['v1.4.1', 'v1.4.2', 'v1.3.9', 'v2.0.0', 'v10.0.0', 'v11.0.0-beta.1', 'v1.5'].map((name) => `git tag ${name}`).join('\n');
  const author = '-c user.name=Ann -c user.email=ann@example.org';
  const begun = `cd ${tag}\ngit init -q\ngit ${author} commit -q --allow-empty -m Begin\ngit remote add origin .\n${tags}`;
  const env = { ...process.env, GITHUB_REF_NAME: tag, GITHUB_OUTPUT: 'outputs' };
  await mkdir(join(folder.path, tag));
  await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', [begun, run].join('\n')], { cwd: folder.path, env });
  const outputs = (await readFile(join(folder.path, tag, 'outputs'), 'utf8')).trim().split('\n');
  expect(Object.fromEntries(outputs.map((line) => line.split('=')))).toEqual(expected);
});

test('R10.01 no command of a workflow holds a secret or a text of a caller: they come by the environment', () => {
  for (const [file, { jobs }] of workflows)
    for (const run of Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = [] }) => run)))
      expect([file, run]).toEqual([file, expect.not.stringMatching(/\$\{\{(?! matrix\.)|secrets\.|github\.token|set -[a-z]*x/)]);
});
