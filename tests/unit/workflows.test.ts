import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readYaml } from '../support/deploy/read-yaml.ts';

type Step = { name?: string; uses?: string; run?: string; env?: Record<string, string>; with?: Record<string, unknown> };
type Job = { uses?: string; needs?: string | string[]; steps?: Step[]; permissions?: Record<string, string>; 'timeout-minutes'?: number };
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

const folder = '.github/workflows';
const workflows = readdirSync(join(import.meta.dirname, '../..', folder)).map(
  (file) => [file, readYaml<Workflow>(`${folder}/${file}`)] as const,
);
const { jobs } = readYaml<Workflow>(`${folder}/release.yml`);
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
  expect(writing.map(([name]) => name)).toEqual(['publish-package', 'images', 'notes']);
});

test('R10.01 nothing is released before all tests, a first run of the package and a scan of the images', () => {
  expect(jobs.tests?.uses).toBe('./.github/workflows/tests.yml');
  expect(neededBy('images').toSorted()).toEqual(['first-start', 'package', 'scan', 'tests']);
  expect(neededBy('publish-package')).toContain('images');
  expect(neededBy('notes')).toEqual(expect.arrayContaining(['publish-package', 'images']));
  const actionsOf = (job: string) =>
    stepsOf(job).map(({ uses = '', run = '' }) => uses.split('@')[0] || run.split(' ').slice(0, 2).join(' '));
  expect(actionsOf('scan').slice(-2)).toEqual(['docker/build-push-action', 'anchore/scan-action']);
  const publishing = ['npm pkg', 'docker/build-push-action', 'cosign sign'];
  expect(actionsOf('images').filter((action) => publishing.includes(String(action)))).toEqual(publishing);
  expect(stepsOf('images').filter(({ with: given }) => given?.push === true)).toHaveLength(1);
  expect(runsOf('first-start').join('\n')).toContain('/scripts/first-run.js ');
});

test('R10.01 the tag of a release is the version of package.json, has notes, and gives each image three names', () => {
  const runs = runsOf('package').join('\n');
  expect(runs).toContain('test "$GITHUB_REF_NAME" = "v$version"');
  expect(runs).toContain('test -s notes.md');
  const named = stepsOf('images').find(({ uses = '' }) => uses.startsWith('docker/metadata-action'));
  expect(String(named?.with?.tags).trim().split('\n')).toEqual(
    ['{{version}}', '{{major}}.{{minor}}', '{{major}}'].map((pattern) => `type=semver,pattern=${pattern}`),
  );
});

test('R10.01 no command of a workflow holds a secret or a text of a caller: they come by the environment', () => {
  for (const [file, { jobs }] of workflows)
    for (const run of Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = [] }) => run)))
      expect([file, run]).toEqual([file, expect.not.stringMatching(/\$\{\{(?! matrix\.)|secrets\.|github\.token|set -[a-z]*x/)]);
});
