import fc from 'fast-check';
import { expect, test } from 'vitest';
import { relationshipTypes } from '../../../../contract/agent-relationship.ts';
import { checkDelegation, delegatesOf } from '../../../../server/modules/agents/delegation.ts';

const related = (sourceAgentId: string, relationshipType: (typeof relationshipTypes)[number], targetAgentId: string) => {
  return { sourceAgentId, relationshipType, targetAgentId };
};

test('W7.02 an agent delegates to its delegates, to its reports, and to the agents that work with it', () => {
  const relationships = [
    related('lead', 'delegates-to', 'developer'),
    related('tester', 'reports-to', 'lead'),
    related('lead', 'collaborates-with', 'designer'),
    related('analyst', 'collaborates-with', 'lead'),
    related('boss', 'delegates-to', 'lead'),
    related('lead', 'reports-to', 'boss'),
    related('boss', 'collaborates-with', 'developer'),
  ];
  expect(Object.fromEntries(delegatesOf('lead', relationships))).toEqual({
    ...{ developer: 'delegates_to', tester: 'reports_to', designer: 'collaborates_with', analyst: 'collaborates_with' },
  });
});

test('W7.02 the closest of several relationships is named, in any order', () => {
  const ties = [related('b', 'collaborates-with', 'a'), related('b', 'reports-to', 'a'), related('a', 'delegates-to', 'b')];
  fc.assert(
    fc.property(fc.shuffledSubarray(ties, { minLength: 3 }), (shuffled) => {
      expect([...delegatesOf('a', shuffled)]).toEqual([['b', 'delegates_to']]);
    }),
  );
});

test('W7.02 delegating and reporting are one relationship seen from its two ends, and working together has no direction', () => {
  const ends = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.constantFrom(...relationshipTypes), ends, ends, (type, source, target) => {
      fc.pre(source !== target);
      const turned = { 'delegates-to': 'reports-to', 'reports-to': 'delegates-to', 'collaborates-with': 'collaborates-with' } as const;
      for (const agent of ['a', 'b', 'c', 'd']) {
        const one = delegatesOf(agent, [related(source, type, target)]);
        expect([...delegatesOf(agent, [related(target, turned[type], source)]).keys()]).toEqual([...one.keys()]);
      }
    }),
  );
});

const source = { id: 'source', status: 1 } as const;
const target = { id: 'target', status: 1 } as const;
const tie = 'delegates_to';

test.each([
  ['to a free agent that it delegates to', {}, true, 'delegates_to'],
  ['while it is itself marked as busy', { source: { ...source, status: 2 } }, true, 'delegates_to'],
  ['to itself', { target: source }, false, 'same_agent'],
  ['without a tie', { tie: undefined }, false, 'not_related'],
  ['when it is switched off', { source: { ...source, status: 0 } }, false, 'source_inactive'],
  ['to an agent that is switched off', { target: { ...target, status: 0 } }, false, 'target_inactive'],
  ['to an agent that is marked as busy', { target: { ...target, status: 2 } }, false, 'target_busy'],
  ['to an agent that is at work', { targetIsAtWork: true }, false, 'target_at_work'],
] as const)('W7.02 an agent may delegate, or not: %s', (_, changes, canDelegate, reason) => {
  expect(checkDelegation({ source, target, tie, targetIsAtWork: false, ...changes })).toEqual({ canDelegate, reason });
});
