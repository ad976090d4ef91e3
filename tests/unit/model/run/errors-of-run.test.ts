import { expect, test } from 'vitest';
import type { ValidationProblem } from '../../../../rules/checked-document.ts';
import { errorsOfRun, groupErrors, nothingCanRun } from '../../../../src/model/run/participation/errors-of-run.ts';

const missing = (nodeId: string): ValidationProblem => ({
  severity: 'error',
  code: 'agent.serverMissing',
  params: { name: nodeId },
  nodeId,
});
const errors: ValidationProblem[] = [
  missing('a'),
  missing('b'),
  { severity: 'warning', code: 'agent.colorMissing', nodeId: 'a' },
  { severity: 'error', code: 'link.duplicate', connectionId: 'l' },
  { severity: 'error', code: 'graph.twoEntries', nodeIds: ['a', 'b'] },
];

test('D1.42 errors count only for cards and links that take part in the next run', () => {
  expect(errorsOfRun(errors, { leftOutNodes: [], leftOutLinks: [] })).toHaveLength(4);
  // A rule of the whole graph is another one where a card is left out.
  expect(errorsOfRun(errors, { leftOutNodes: ['b'], leftOutLinks: ['l'] }).map(({ code }) => code)).toEqual(['agent.serverMissing']);
  expect(errorsOfRun(errors, { leftOutNodes: ['a', 'b'], leftOutLinks: ['l'] })).toEqual([]);
});

test('D1.42 errors are grouped by their reason, with the cards of each and one cure', () => {
  const many = Array.from({ length: 200 }, (_, at) => missing(`n${at}`));
  const [first, second, ...others] = groupErrors([{ severity: 'error', code: 'dialog.goalMissing', nodeId: 'd' }, ...many]);
  expect(first).toMatchObject({ first: many[0], count: 200, nodeIds: { length: 200 }, cure: 'restoreAgents' });
  expect([second?.count, second?.cure, others]).toEqual([1, null, []]);
});

test('D1.42 Start is off where no card takes part, or none of those that do has an agent', () => {
  const part = { taking: 2, of: 5 };
  expect(nothingCanRun(part, [missing('a'), missing('b')])).toBe(true);
  expect(nothingCanRun(part, [missing('a'), missing('a')])).toBe(false);
  expect(nothingCanRun({ taking: 0, of: 2 }, [])).toBe(true);
  expect(nothingCanRun({ taking: 0, of: 0 }, [])).toBe(false);
  // A run gives a card without an agent the free one of its title.
  expect(nothingCanRun(part, [missing('a'), missing('b')], () => new Map([['b', 'agent-1']]))).toBe(false);
  const listed = Array.from({ length: 201 }, (_, at) => missing(`n${at}`));
  expect(nothingCanRun({ taking: 3_000, of: 3_000 }, listed)).toBe(true);
});
