import { expect, test } from 'vitest';
import type { PublicationRow } from '../../../../server/modules/publishing/repository.ts';
import { branchesOf, followedCommits, type PublishedRun } from '../../../../server/modules/publishing/run-branches.ts';

const url = 'https://git.example/ann/shop';
const executionId = '019a2f10-0000-7000-8000-000000000008';
const row = (changes: Partial<PublicationRow> = {}): PublicationRow => ({
  ...{
    executionId: 'original',
    url,
    branch: 'artel/first',
    baseBranch: 'main',
    sha: 'a',
    baseSha: 'b',
    filesSha: null,
    pushed: null,
    renamed: [],
  },
  ...{ requestUrl: null, requestNumber: null, problem: null, problemText: null, publishedAt: new Date(0) },
  ...changes,
});

function runOf({ run = {}, ...changes }: { run?: Partial<PublishedRun['run']> } & Partial<Omit<PublishedRun, 'run'>> = {}): PublishedRun {
  const git = { url, ref: 'release/2', sha: '0'.repeat(40), isBranch: true as const };
  return {
    run: { projectId: 'project', task: 'Bake', endedAt: new Date(0), dialogNodeId: null, git, follows: null, files: [], ...run },
    executionId,
    ...{ subject: null, closes: null },
    target: {
      ...{
        projectId: 'project',
        url: `${url}.git`,
        baseBranch: 'main',
        prefix: 'artel/',
        forge: 'none',
        paths: [],
        authorName: null,
        authorEmail: null,
      },
      ...{ signsOff: false, tokenSealed: null, tokenLast4: null, updatedAt: new Date(0) },
    },
    last: null,
    originals: [],
    ...changes,
  };
}
const own = 'artel/bake-000000000008';

test('C7.01 a run goes to the branch of the project’s repository that it began with, else to the base branch of the project', () => {
  expect(branchesOf(runOf())).toEqual([{ name: own, base: 'release/2', isNew: true }]);
  const { git: begun } = runOf().run;
  const tag = begun && { url: begun.url, ref: 'v1', sha: begun.sha };
  const elsewhere = begun && { ...begun, url: 'https://git.example/ann/other' };
  for (const git of [tag, elsewhere, null]) expect(branchesOf(runOf({ run: { git } }))[0].base).toBe('main');
});

test('C7.04 a published run keeps its branch, and a fork is offered its original’s branch before a new branch', () => {
  expect(branchesOf(runOf({ last: row() }))).toEqual([{ name: 'artel/first', base: 'main', isNew: false }]);
  const fork = runOf({ originals: [row({ baseBranch: null })] });
  expect(branchesOf(fork)).toEqual([
    { name: 'artel/first', base: 'main', isNew: false },
    { name: own, base: 'release/2', isNew: true },
  ]);
  const there = [row(), row({ executionId: 'another', sha: 'c' })];
  expect(followedCommits(fork, 'artel/first', there)).toEqual({
    ...{ heads: ['a', 'c'], runs: ['original', 'another'], replaced: ['original'], isOpen: false },
  });
  expect(branchesOf(runOf({ originals: [row({ url: 'https://git.example/ann/other' })] }))).toHaveLength(1);
});

test('C7.05 a run that goes on with a published branch adds to it, for the same base', () => {
  const follows = { executionId: 'original', branch: 'artel/first', base: 'main', hasReview: true };
  const next = runOf({ run: { follows } });
  expect(branchesOf(next).map(({ name }) => name)).toEqual(['artel/first', own]);
  expect(branchesOf(next)[0]).toEqual({ name: 'artel/first', base: 'main', isNew: false });
  expect(followedCommits(next, 'artel/first', []).isOpen).toBe(true);
  expect(followedCommits(next, own, []).isOpen).toBe(false);
});
