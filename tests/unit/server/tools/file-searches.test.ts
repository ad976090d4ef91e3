import { expect, test } from 'vitest';
import { createFileTools } from '../../../../server/modules/tools/files/file-tools.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

type Deps = Parameters<typeof createFileTools>[0];

/** A database that never answers. */
const silent: object = new Proxy({}, { get: (_, name) => (name === 'then' ? () => {} : () => silent) });

test('G3.07 a search of a step that has ended does not wait for its turn any more', async () => {
  const { toolsFor } = createFileTools({ db: silent, baseTree: {}, thread: {} } as unknown as Deps);
  const tools = await toolsFor({ hasFiles: true, fileAccess: 'write', language: 'en' } as Parameters<typeof toolsFor>[0]);
  const search = tools.find(({ name }) => name === 'search_files');
  const ended = new AbortController();
  const context = {
    executionId: 'run',
    userId: asOwner('ann'),
    projectId: 'project',
    stepId: 'step',
    signal: ended.signal,
    language: 'en',
    ...{ isApproved: false, leftMs: () => 60_000 },
    reads: [],
    installHosts: null,
    startedAt: null,
    steps: [],
  } as const;
  const calls = [1, 2].map(() => search?.carryOut({ query: 'total' }, context));
  ended.abort(new Error('The step has ended.'));
  // One searches, and the other waits for its turn: which one ends first is open.
  await expect(Promise.race(calls)).rejects.toThrow('The step has ended.');
});
