import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gitTargetUpdate } from '../../../../contract/executions/publishing.ts';
import { isAutomation } from '../../../../server/modules/publishing/automation-files.ts';
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
