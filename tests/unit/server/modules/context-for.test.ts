import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentCreation } from '../../../../contract/agent.ts';
import { contextFor } from '../../../../server/modules/agents/index.ts';

const all = { earlier: ['first', 'second', 'third'], contexts: ['note', 'another'] };

test.each([
  [0, { earlier: [], contexts: [] }],
  [1, { earlier: [], contexts: ['note', 'another'] }],
  [2, { earlier: ['third'], contexts: ['note', 'another'] }],
  [3, all],
] as const)('R24.01 an agent with context access %i gets what that level allows', (level, told) => {
  expect(contextFor(level, all)).toEqual(told);
});

test('R24.01 each level gets all that the level below gets, in the same order', () => {
  const parts = fc.record({ earlier: fc.array(fc.string()), contexts: fc.array(fc.string()) });
  fc.assert(
    fc.property(parts, fc.constantFrom(0, 1, 2), (has, level) => {
      const [less, more] = [contextFor(level, has), contextFor((level + 1) as 1 | 2 | 3, has)];
      expect(more.earlier.slice(more.earlier.length - less.earlier.length)).toEqual(less.earlier);
      expect(more.contexts.slice(0, less.contexts.length)).toEqual(less.contexts);
    }),
  );
});

test.each([-1, 4, 1.5, '2', null])('W7.02 %o is no context access', (contextAccessLevel) => {
  expect(agentCreation.safeParse({ name: 'x', title: 'X', role: 'X', contextAccessLevel }).success).toBe(false);
});
