import { expect, test } from 'vitest';
import { RepositoryMemory } from '../../../../server/platform/git/repository-memory.ts';

test('R23.01 a call that has been cut off reserves no memory for repositories', async () => {
  const work = async () => 'read';
  await expect(new RepositoryMemory().use('ann', work, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(await new RepositoryMemory().use('ann', work, new AbortController().signal)).toBe('read');
});
