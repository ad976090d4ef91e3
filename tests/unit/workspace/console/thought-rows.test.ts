import { expect, test } from 'vitest';
import type { Thought } from '../../../../contract/executions/thought.ts';
import { thoughtRows } from '../../../../src/app/workspace/console/thinking/thought-rows.ts';
import { aStep } from '../../../support/engine/a-step.ts';
import { team } from '../../../support/engine/samples.ts';

const [first] = team;
const thought = (id: string, executionId: string | null, stepId: string | null, createdAt: string) =>
  ({ id, agentId: first?.id, executionId, stepId, content: id, createdAt }) as Thought;

test('R46.01 thoughts are listed in order with their origin: those of the run, and those published separately', () => {
  const steps = [aStep('s1', { name: 'Reader', role: 'QA' })];
  const agents = Object.fromEntries(team.map((agent) => [agent.id, agent]));
  const rows = thoughtRows(
    [
      thought('late', 'run', 's1', '2026-01-01T00:00:03Z'),
      thought('own', null, null, '2026-01-01T00:00:02Z'),
      thought('other', 'old', 's0', '2026-01-01T00:00:01Z'),
    ],
    'run',
    steps,
    agents,
  );
  expect(rows.map(({ thought: { id }, title, role }) => [id, title, role])).toEqual([
    ['own', first?.title, first?.role],
    ['late', 'Reader', 'QA'],
  ]);
});
