import { expect, test } from 'vitest';
import { type CardView, cardViews, linkState } from '../../../src/model/card-view.ts';
import { emptyRun } from '../../../src/model/workspace-state.ts';
import { aStep } from '../workspace/a-step.ts';

const steps = (...statuses: ('completed' | 'running' | 'pending' | 'cancelled')[]) =>
  statuses.map((status, orderIndex) =>
    aStep(`s${orderIndex}`, {
      status,
      orderIndex,
      nodeId: `n${orderIndex}`,
      startedAt: status === 'pending' ? null : '2026-01-01T00:00:00.000Z',
    }),
  );

const viewsOf = (...statuses: Parameters<typeof steps>) => {
  const views = cardViews({ ...emptyRun, phase: 'running', steps: steps(...statuses) });
  return (node: number) => views[`n${node}`] as CardView;
};

test('R24.01 a link that leads back is painted as travelled at no time: nothing passes along it', () => {
  const done = viewsOf('completed', 'completed');
  expect([linkState(done(0), done(1), false), linkState(done(1), done(0), false)]).toEqual(['travelled', 'rest']);
  const working = viewsOf('completed', 'running', 'pending');
  expect([linkState(working(0), working(1), false), linkState(working(2), working(1), false)]).toEqual(['onTheWay', 'rest']);
});

test('W4.08 after a stop the step that worked is stopped, and those after it are not reached', () => {
  const views = cardViews({ ...emptyRun, outcome: 'cancelled', steps: steps('completed', 'cancelled', 'pending') });
  expect(Object.values(views).map(({ state }) => state)).toEqual(['done', 'stopped', 'skipped']);
  expect([linkState(views.n0, views.n1, false), linkState(views.n1, views.n2, false)]).toEqual(['travelled', 'rest']);
});
