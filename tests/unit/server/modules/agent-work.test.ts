import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AgentWork, combineWork, statisticsOf, type WorkCounts } from '../../../../server/modules/agents/work-counts.ts';
import type { Db } from '../../../../server/platform/database/database.ts';

const some = fc.nat(1_000_000);
const moment = fc.option(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }));
const counts: fc.Arbitrary<WorkCounts> = fc.record({
  ...{ total: some, successful: some, failed: some, successfulMs: some },
  lastActivity: moment,
});

const kind = (of: WorkCounts, status: string | null = null, atWork: string[] = []): AgentWork => ({
  count: async () => of,
  unfinishedStatus: async () => status,
  atWork: async () => atWork,
});
const none: WorkCounts = { total: 0, successful: 0, failed: 0, successfulMs: 0, lastActivity: null };
const counted = (...kinds: WorkCounts[]) => combineWork(kinds.map((of) => kind(of))).count('user', 'agent');

test('W3.08 kinds of work add up, in any order, and their mean is over all of them', async () => {
  await fc.assert(
    fc.asyncProperty(counts, counts, async (one, other) => {
      const both = await counted(one, other);
      expect(await counted(other, one)).toEqual(both);
      expect(await counted(one, none)).toEqual(one);
      const { averageExecutionTime, lastActivity, totalCommands } = statisticsOf(both);
      expect(totalCommands).toBe(one.total + other.total);
      const successful = one.successful + other.successful;
      expect(averageExecutionTime).toBe(successful === 0 ? null : Math.round((one.successfulMs + other.successfulMs) / successful));
      const moments = [one, other].flatMap((of) => (of.lastActivity ? [of.lastActivity.toISOString()] : []));
      expect(lastActivity).toBe(moments.toSorted().at(-1) ?? null);
    }),
  );
});

test('W3.08 an agent that has done nothing has no mean and no last activity', async () => {
  expect(statisticsOf(await combineWork([]).count('user', 'agent'))).toEqual({
    ...{ totalCommands: 0, successfulCommands: 0, failedCommands: 0, averageExecutionTime: null, lastActivity: null },
  });
});

test('W7.02 work that has not ended is found in every kind, and an agent at work in two is named once', async () => {
  const tx = {} as Db;
  const joined = combineWork([kind(none, null, ['a', 'b']), kind(none, 'paused', ['b'])]);
  expect(await joined.unfinishedStatus(tx, 'user', 'agent')).toBe('paused');
  expect(await joined.atWork('user', ['a', 'b'])).toEqual(['a', 'b']);
  expect(await combineWork([kind(none)]).unfinishedStatus(tx, 'user', 'agent')).toBeNull();
});
