import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gitTargetUpdate, publishRequest } from '../../../../contract/executions/publishing.ts';
import { repositoryPaths } from '../../../../contract/input.ts';
import { fieldText } from '../../../../server/http/field-text.ts';
import { cautionOf, isAutomation } from '../../../../server/modules/publishing/automation/automation-files.ts';
import { clones } from '../../../../server/modules/publishing/automation/clones.ts';
import { editors } from '../../../../server/modules/publishing/automation/editors.ts';
import { bots, servers } from '../../../../server/modules/publishing/automation/servers.ts';
import { branchName } from '../../../../server/modules/publishing/branch-name.ts';

const run = '019a2f10-0000-7000-8000-000000000008';

test('G3.24 files of CI, hooks and editors are known at any depth and in any case; others are not', () => {
  const automation = [
    '.github/workflows/ci.yml',
    'packages/a/.GitHub/x',
    'Jenkinsfile',
    '.gitlab-ci.yml',
    '.husky/pre-commit',
    'a/.gitmodules',
    ...[
      '.devcontainer.json',
      '.Woodpecker.yaml',
      '.drone.yaml',
      '.drone.jsonnet',
      '.build.yml',
      '.builds/a.yml',
      '.semaphore/semaphore.yml',
    ],
    ...['.tekton/run.yaml', 'cloudbuild.yml', 'cloudbuild.yaml', 'cloudbuild.json', 'buildspec.yaml', 'buildspec.yml', '.cirrus.star'],
    ...['githooks/pre-push', '.git-hooks/pre-commit', 'git-hooks/pre-commit', '.config/husky/pre-push', '.hooks/pre-commit'],
    ...['.simple-git-hooks.json', 'simple-git-hooks.cjs', '.simple-git-hooks.mjs', '.huskyrc', '.huskyrc.json'],
    ...['.overcommit.yml', '.overcommit/pre_push/a.rb', '.claude/settings.json', '.cursor/hooks.json', '.gemini/settings.json'],
    ...['.gitpod.yml', '.gitpod.Dockerfile', 'codemagic.yaml', 'bitrise.yml', '.bitrise.yml', 'azure-pipelines-1.yml'],
    ...['ci/azure-pipelines.release.yaml', 'buildspec-test.yml', 'cloudbuild.prod.yaml', 'bitbucket-pipelines.yml', 'Jenkinsfile.release'],
    ...['.mcp.json', '.screwdriver.yaml', 'screwdriver.yaml', 'wercker.yml', '.scrutinizer.yml', 'appspec.yml', '.vsts-ci.yml'],
    ...[
      '.replit',
      '.idx/dev.nix',
      '.codesandbox/tasks.json',
      '.zed/tasks.json',
      '.nova/Tasks/a.json',
      '.harness/a.yaml',
      '.concourse/a.yml',
    ],
    ...['lefthook.yaml', 'lefthook.toml', 'lefthook-local.json', '.config/lefthook.yml', '.appveyor.yml', '.pre-commit-config.yaml'],
  ];
  expect(automation.filter((path) => !isAutomation(path))).toEqual([]);
  const usual = [
    'src/github.ts',
    '.github',
    'docs/Jenkinsfile.md',
    'README.md',
    'src/.env.example',
    'simple-git-hooks.md',
    'bitrise.ts',
    'src/hooks/use-cart.ts',
    'azure-pipelines.md',
    'docs/jenkinsfiles/a.md',
    'lefthook.ts',
    'buildspec.md',
    'build.yml',
    'a/cloudbuild',
  ];
  expect(usual.filter(isAutomation)).toEqual([]);
});

test('G3.24 files of hosts, bots, agents and package managers run by themselves as well', () => {
  const automation = [
    ...['netlify.toml', 'Vercel.json', 'render.yaml', '.zuul.yaml', 'zuul.d/jobs.yaml', 'fly.toml', 'Procfile', 'app/wrangler.jsonc'],
    ...[
      'AGENTS.md',
      'src/CLAUDE.md',
      'gemini.md',
      '.windsurfrules',
      '.cursorrules',
      '.roo/rules/a.md',
      'docs/a.prompt.md',
      '.junie/guidelines.md',
    ],
    ...['CODEOWNERS', 'docs/codeowners', '.mergify.yml', 'renovate.json5', '.renovaterc', '.coderabbit.yaml', 'OWNERS'],
    ...[
      '.cargo/config.toml',
      '.pnpmfile.cjs',
      '.mvn/extensions.xml',
      '.yarnrc.yml',
      '.yarn/plugins/a.cjs',
      'gradlew',
      'Directory.Build.props',
    ],
    ...[
      'Dockerfile',
      'a/Dockerfile.dev',
      'web.dockerfile',
      'compose.yaml',
      'docker-compose.prod.yml',
      '.bazelrc',
      '.envrc',
      '.lintstagedrc.json',
    ],
    ...['a.code-workspace', '.exrc', '.dir-locals.el', '.gdbinit', '.run/a.xml', 'mise.toml', 'sitecustomize.py', 'a/evil.pth'],
  ];
  expect(automation.filter((path) => !isAutomation(path))).toEqual([]);
  const usual = [
    ...['src/render.ts', 'src/fly.ts', 'src/compose.ts', 'src/dockerfile.ts', 'docs/agents/index.md', 'src/action.ts', 'src/mcp.json.ts'],
    ...['src/owners.ts', 'package.json', 'Makefile', 'src/.env.example', 'src/a~b.ts'],
  ];
  expect(usual.filter(isAutomation)).toEqual([]);
});

test('G3.24 a file that runs by itself is known in each spelling that a file system takes for it', () => {
  const spellings = [
    '.git\u200chub/workflows/ci.yml',
    '.GITHUB /a.yml',
    '.github./a.yml',
    'GITHUB~1/a.yml',
    '.npmrc ',
    '.npmrc::$DATA',
    '.ĞitHub/a',
  ];
  expect(spellings.filter((path) => !isAutomation(path))).toEqual(['.ĞitHub/a']);
  expect(isAutomation('．ｇｉｔｈｕｂ/a.yml')).toBe(true);
});

test('G3.24 a new file in the root or in a folder with a dot asks, whatever its name is', () => {
  expect(cautionOf('brand-new-ci.yml', true)).toBe('unlisted');
  expect(cautionOf('README.md', true)).toBe('unlisted');
  expect(cautionOf('.future-agent/rules.md', true)).toBe('unlisted');
  expect(cautionOf('packages/a/.tool/b/c.txt', true)).toBe('unlisted');
  expect(cautionOf('README.md', false)).toBeNull();
  expect(cautionOf('src/.env.example', true)).toBeNull();
  expect(cautionOf('src/cart.ts', true)).toBeNull();
  expect(cautionOf('CLAUDE.md', false)).toBe('automation');
});

test('G3.24 each program of the list has a source, and names in the form in which they are compared', () => {
  for (const group of [...servers, ...bots, ...clones, ...editors]) {
    expect(group.source).toMatch(/^https:\/\//);
    const names = [...(group.folders ?? []), ...(group.files ?? []), ...(group.stems ?? []), ...(group.endings ?? [])];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toBe(name.toLowerCase().trim());
  }
});

test('G3.21 a branch is named by the first words of the task and the end of the run’s id', () => {
  expect(branchName('artel/', 'Make the total two!', run)).toBe('artel/make-the-total-two-000000000008');
  expect(branchName('', 'Сделай корзину', run)).toBe('сделай-корзину-000000000008');
  expect(branchName('artel/', '… / ..', run)).toBe('artel/run-000000000008');
});

test('G3.21 the name of any task’s branch is one that Git takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (task) => {
      const name = branchName('artel/', task, run);
      expect(gitTargetUpdate.safeParse({ url: 'https://git.example.com/a', baseBranch: name, forge: 'none' }).success).toBe(true);
      expect(name.length).toBeLessThan(70);
    }),
  );
});

test('C7.01 a branch may have every name that Git takes, and no other', () => {
  const takes = (base: string) => publishRequest.safeParse({ base }).success;
  const good = ['dependabot/npm_and_yarn/@types/node-24', 'fix#12', 'feature+x', '_draft', 'релиз/2', "o'neil", 'a@b', 'v1.0.x'];
  expect(good.filter((name) => !takes(name))).toEqual([]);
  const bad = [
    'a b',
    'a..b',
    '-x',
    '@',
    'a@{1}',
    'a//b',
    '/a',
    'a/',
    'a.',
    '.a',
    'a/.b',
    'a.lock/b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
  ];
  const broken = ['a\nb', 'a\u0000b', 'a\u202eb', 'a\u200bb'];
  expect([...bad, ...broken].filter(takes)).toEqual([]);
  // The branch of a project follows the same rule.
  const storedAs = (baseBranch: string) => {
    const read = gitTargetUpdate.safeParse({ url: 'https://git.example.com/a', baseBranch, forge: 'none' });
    return read.success ? read.data.baseBranch : null;
  };
  expect([...good, ...bad, ...broken].map((name) => storedAs(name) !== null)).toEqual([...good, ...bad, ...broken].map(takes));
});

test('D6.08 the full name of a branch is stored as its short one, for a project and for a publication', () => {
  const project = gitTargetUpdate.parse({ url: 'https://git.example.com/a', baseBranch: ' refs/heads/main ', forge: 'none' });
  expect(project.baseBranch).toBe('main');
  expect(publishRequest.parse({ base: 'refs/heads/release/2', branch: 'refs/heads/x' })).toMatchObject({ base: 'release/2', branch: 'x' });
  expect(publishRequest.safeParse({ base: 'refs/heads/' }).success).toBe(false);
});

test('D6.07 a path of a repository is stored without empty names, and one that leads out of it is refused with a sentence', () => {
  const read = (path: string) => repositoryPaths.safeParse([path], { error: fieldText('en') });
  expect(['./src//lib/', 'packages/web', '..a/b..'].map((path) => read(path).data?.[0])).toEqual(['src/lib', 'packages/web', '..a/b..']);
  for (const path of ['../x', '..', 'a/../../b', 'a\\..\\b', './..'])
    expect(read(path).error?.issues.map(({ message }) => message)).toEqual([outside]);
});

const outside = 'A path leads out of the repository. Name folders inside of it, without “..”.';
