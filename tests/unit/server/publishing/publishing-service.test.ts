import { expect, test } from 'vitest';
import type { GitTargetRow } from '../../../../server/modules/publishing/repository.ts';
import { Publishing, type PublishingDeps } from '../../../../server/modules/publishing/service.ts';
import { RepositoryMemory } from '../../../../server/platform/git/repository-memory.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const signal = new AbortController().signal;
const target: GitTargetRow = {
  projectId: 'project',
  url: 'https://git.example/team/sub/shop',
  baseBranch: 'main',
  prefix: 'artel/',
  forge: 'none',
  authorName: null,
  authorEmail: null,
  signsOff: false,
  paths: [],
  tokenSealed: 'sealed',
  tokenLast4: '1234',
  updatedAt: new Date(0),
};

/** Publishing of one project that has a target, and a run that began with a repository. */
function publishing({ stored = target.url, began = target.url, issue = null as object | null } = {}) {
  let row: GitTargetRow | null = { ...target, url: stored };
  const bundled: (string | null)[] = [];
  const db = {
    select: () => ({ from: () => ({ where: async () => [row] }) }),
    insert: () => ({
      values: (given: GitTargetRow) => ({
        onConflictDoUpdate: () => ({
          returning: async () => {
            row = given;
            return [row];
          },
        }),
      }),
    }),
    execute: async () => ({ rows: [] }),
    transaction: (work: (tx: unknown) => unknown) => work(db),
  };
  const run = {
    projectId: 'project',
    task: 'Bake',
    endedAt: new Date(0),
    git: { url: began, ref: 'main', sha: '0'.repeat(40) },
    files: [{ path: 'a.ts', isNew: false }],
  };
  const service = new Publishing({
    db,
    projects: { resolve: async (_: string, id: string) => id },
    secrets: { open: () => 'a-token', seal: () => 'sealed' },
    runs: {
      publishable: async () => run,
      changes: async () => [],
      describe: async () => ({ title: 'Bake', description: '' }),
      issueOf: async () => issue,
      base: async () => [],
    },
    commits: {
      bundle: async ({ from }: { from: { token: string | null } | null }) => {
        bundled.push(from?.token ?? null);
        return Buffer.alloc(0);
      },
    },
    personOf: async () => null,
    packs: new RepositoryMemory(),
    memory: new RepositoryMemory(),
    repositoryLimits: { files: 10, bytes: 1_000 },
    isHostAllowed: async () => true,
    allowPrivateHosts: false,
    now: () => new Date(0),
  } as unknown as PublishingDeps);
  return { service, bundled };
}

test('G3.21 a target in a subgroup that is called as a page is stored as it is', async () => {
  const { service } = publishing();
  const url = 'https://git.example/team/sub/src/app';
  expect(
    await service.putTarget(asOwner('ann'), 'project', {
      url,
      baseBranch: 'main',
      prefix: 'artel/',
      forge: 'none',
      author: null,
      signsOff: false,
    }),
  ).toMatchObject({
    target: { url },
  });
});

test('C7.03 what a change of a target leaves out stays, and null is the person who publishes', async () => {
  const { service } = publishing();
  const put = (given: object) =>
    service.putTarget(asOwner('ann'), 'project', { url: target.url, baseBranch: 'main', forge: 'none', ...given });
  const author = { name: 'Shop', email: 'shop@example.com' };
  const kept = { author, signsOff: true, prefix: 'shop/', paths: ['web'] };
  expect(await put(kept)).toMatchObject({ target: kept });
  expect(await put({})).toMatchObject({ target: kept });
  expect(await put({ author: null, prefix: '' })).toMatchObject({ target: { ...kept, author: null, prefix: '' } });
});

test('C7.03 the author of a project is stored as one line, and without an address it is refused', async () => {
  const { service } = publishing();
  const put = (name: string, email: string) =>
    service.putTarget(asOwner('ann'), 'project', { ...target, forge: 'none', token: undefined, author: { name, email } });
  const author = { name: 'Ann Eve e@x', email: 'ann@example.com' };
  expect(await put('Ann\u202e\nEve <e@x>', 'ann@example.com')).toMatchObject({ target: { author } });
  for (const email of ['ann', 'ann@example.com>\nEve <e@x.com'])
    await expect(put('Ann', email)).rejects.toMatchObject({ code: 'publish_refused' });
});

test.each([
  [target.url, `${target.url}.git`],
  [`${target.url}.git`, target.url],
  [`${target.url}/`, target.url],
  [`${target.url}.git/`, target.url],
])('G3.25 the token of the target %s reads the repository %s for a bundle', async (stored, began) => {
  const { service, bundled } = publishing({ stored, began });
  await service.bundle({ userId: asOwner('ann'), executionId: '019a2f10-0000-7000-8000-000000000008', language: 'en', signal });
  expect(bundled).toEqual(['a-token']);
});

test.each(['https://git.example/team/sub/shop-two', 'https://other.example/team/sub/shop'])(
  'G3.25 the token of another repository is not used for a bundle of %s',
  async (began) => {
    const { service, bundled } = publishing({ began });
    await service.bundle({ userId: asOwner('ann'), executionId: '019a2f10-0000-7000-8000-000000000008', language: 'en', signal });
    expect(bundled).toEqual([null]);
  },
);
