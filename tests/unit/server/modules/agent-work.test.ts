import { expect, test } from 'vitest';
import { statisticsOf } from '../../../../server/modules/agents/work-counts.ts';

test('W3.08 the average duration of an agent’s work counts successful commands only', () => {
  const lastActivity = new Date('2026-11-26T10:00:00Z');
  expect(statisticsOf({ total: 7, successful: 3, failed: 2, successfulMs: 1_000, lastActivity })).toEqual({
    totalCommands: 7,
    successfulCommands: 3,
    failedCommands: 2,
    averageExecutionTime: 333,
    lastActivity: '2026-11-26T10:00:00.000Z',
  });
});

test('W3.08 an agent that has done nothing has no mean and no last activity', () => {
  expect(statisticsOf({ total: 0, successful: 0, failed: 0, successfulMs: 0, lastActivity: null })).toEqual({
    totalCommands: 0,
    successfulCommands: 0,
    failedCommands: 0,
    averageExecutionTime: null,
    lastActivity: null,
  });
});
