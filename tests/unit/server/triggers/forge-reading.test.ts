import { expect, test } from 'vitest';
import { ForgeReading } from '../../../../server/modules/triggers/forge/reading.ts';

const begun = Date.parse('2026-05-01T10:00:00Z');

/** A reading of a repository in which five runs have ended, each of whose results takes so long to hand on (ms). */
function reading(resultMs: number, { labelled = [] as object[], changed = [] as object[], ended = [1, 2, 3, 4, 5] } = {}) {
  let now = begun;
  const done: string[] = [];
  const noted =
    (name: string, found: object[] = []) =>
    async () => {
      done.push(name);
      return found;
    };
  const deps = {
    now: () => new Date(now),
    forge: {
      self: async () => ({ id: '1', login: 'bot', isBot: true }),
      labelled: noted('labels', labelled),
      changed: noted('changes', changed),
    },
    threads: {
      open: async () => ended.map((number) => ({ number, state: 'started', hasMore: false })),
      leftWaiting: async () => [],
      numbers: async () => new Set(),
      firstWaiting: async () => null,
      untold: noted('comments'),
      find: async (_: unknown, { number }: { number: number }) => {
        now += resultMs;
        done.push(`issue ${number}`);
        return null;
      },
    },
    results: {
      take: async () => {
        now += resultMs;
        done.push('result');
      },
    },
    address: () => 'https://artel.example.com',
    onFailed: () => {},
  };
  const asked = {
    trigger: { id: 'one', projectId: 'project', pausedAt: null, createdAt: new Date(begun) },
    ...{ settings: { label: 'artel' }, target: { url: 'https://forge.example.com/a/b' }, team: 'mend', language: 'en' },
    signal: new AbortController().signal,
  };
  const read = () => new ForgeReading(deps as never, asked as never, {}).read({ since: null, hasLabelled: false, unread: [] });
  return { done, read };
}

test('L5.13 results that take long leave time for labels and comments, and the next reading goes on at once', async () => {
  const { done, read } = reading(25_000);
  expect((await read()).soonMs).toBe(2_000);
  expect(done).toEqual([...Array(3).fill(['result', 'comments']).flat(), 'labels', 'changes', 'comments']);
});

test('L5.13 results that are sent quickly go out in one reading', async () => {
  const { done, read } = reading(1_000);
  expect((await read()).soonMs).toBeNull();
  expect(done.filter((what) => what === 'result')).toHaveLength(5);
});

test('L5.13 labelled issues for which a reading has no time wait in the order of their numbers, and changed ones are read', async () => {
  const issue = (number: number) => ({ number, isRequest: false, isOpen: true, labels: [], updatedAt: '2026-05-01T10:00:00Z' });
  const labelled = Array.from({ length: 10 }, (_, at) => issue(at + 1));
  const { done, read } = reading(40_000, { labelled, changed: [issue(77)], ended: [] });
  expect(await read()).toMatchObject({
    hasLabelled: true,
    soonMs: 2_000,
    unread: [4, 5, 6, 7, 8, 9, 10].map((number) => ({ number, tries: 0 })),
  });
  expect(done).toEqual(['labels', 'changes', 'issue 1', 'issue 2', 'issue 3', 'issue 77', 'comments']);
});
