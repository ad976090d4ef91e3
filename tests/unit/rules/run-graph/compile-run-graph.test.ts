import { expect, test } from 'vitest';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import { compiled, problemsOf, type ShortGraph } from '../../../support/run-graph/play-graph.ts';

const back = { label: 'again', maxRounds: 3 };
const inGroup = { groupId: 'g' };
const groups = [{ id: 'g', onFailure: 'stop' as const }];
const codesOf = (graph: ShortGraph) => problemsOf(graph).map(({ code }) => code);

test('the compiler refuses a cycle without rounds, and highlights only the cycle', () => {
  const problems = problemsOf({ links: ['a>b', 'b>c', 'c>b', 'c>d', 'd>e'] });
  expect(problems).toEqual([{ code: 'graph.cycle', nodeIds: ['b', 'c'], linkIds: ['b>c', 'c>b'] }]);
});

test('the compiler refuses a long path behind a cycle without walking that path again for each step', () => {
  const links = Array.from({ length: 9_999 }, (_, at) => `s${at}>s${at + 1}`);
  expect(problemsOf({ links: [...links, 's1>s0'] })).toEqual([{ code: 'graph.cycle', nodeIds: ['s0', 's1'], linkIds: ['s0>s1', 's1>s0'] }]);
});

test('D1.05 the compiler refuses a loop with two entries once, with both entries highlighted, also where loops are nested', () => {
  const nested = problemsOf({ links: ['a>b', 'b>c', 'c>d', ['c>b', back], ['d>b', back], 'x>c', ['d>c', back]] });
  expect(nested.map(({ code, linkIds }) => [code, linkIds])).toEqual([['graph.twoEntries', ['a>b', 'x>c']]]);
  const problems = problemsOf({ links: ['a>b', 'b>c', ['c>b', back], 'x>c'] });
  expect(problems).toEqual([
    { code: 'graph.twoEntries', params: { first: 'b', second: 'c' }, nodeIds: ['b', 'c'], linkIds: ['a>b', 'x>c'] },
  ]);
});

test('the compiler refuses a link with rounds that does not lead back', () => {
  expect(problemsOf({ links: ['a>b', ['a>c', back]] })).toEqual([{ code: 'graph.notBack', nodeIds: ['c'], linkIds: ['a>c'] }]);
});

test('the compiler refuses a link to itself, an unknown end, a duplicate id and an unknown group', () => {
  expect(codesOf({ links: ['a>a'] })).toEqual(['link.self']);
  expect(
    codesOf({
      links: [
        ['x', { from: 'a', to: 'b' }],
        ['x', { from: 'b', to: 'c' }],
      ],
      steps: { a: {}, b: {}, c: {} },
    }),
  ).toContain('link.idTwice');
  expect(codesOf({ links: ['a>b'], steps: { b: inGroup } })).toEqual(['graph.groupMissing']);
});

test('the compiler refuses tests of data without a link for all other answers, and a label without a test beside them', () => {
  const isYes = { test: { is: 'equals' as const, value: 'yes' } };
  expect(codesOf({ links: [['a>b', isYes]] })).toEqual(['graph.otherwiseMissing']);
  expect(
    codesOf({
      links: [
        ['a>b', isYes],
        ['a>c', { label: 'no' }],
      ],
    }),
  ).toEqual(['graph.caseWithoutTest']);
  expect(codesOf({ links: [['a>b', isYes], 'a>c'] })).toEqual([]);
});

test('C4.02 tests of executed tests need a link for no result, or labels for both outcomes', () => {
  const passes = { is: 'testsPass' as const, value: '' };
  const fails = { is: 'testsFail' as const, value: '' };
  const codes = (...links: [LinkSettings, LinkSettings]) =>
    codesOf({
      links: [
        ['a>b', links[0]],
        ['a>c', links[1]],
      ],
    });
  expect(codes({ test: passes }, { test: fails })).toEqual(['graph.otherwiseMissing']);
  expect(codes({ test: passes, label: 'good' }, { test: fails })).toEqual(['graph.otherwiseMissing']);
  expect(codes({ test: passes, label: 'good' }, { test: passes, label: 'fine' })).toEqual(['graph.otherwiseMissing']);
  expect(codes({ test: passes, label: 'good' }, { test: fails, label: 'again' })).toEqual([]);
  expect(codes({ test: passes }, {})).toEqual([]);
});

test('the compiler refuses a link for failures that is a case or leads back', () => {
  expect(codesOf({ links: [['a>b', { onFailure: true, label: 'no' }]] })).toEqual(['graph.failureCase']);
  expect(codesOf({ links: ['a>b', ['b>a', { onFailure: true, maxRounds: 2 }]] })).toEqual(['graph.failureBack']);
});

test('the compiler refuses loops more than three deep, and accepts three', () => {
  const chain = ['a>b', 'b>c', 'c>d', 'd>e', 'e>f', 'f>g', 'g>h'];
  const nested: ShortGraph['links'] = [
    ['e>d', back],
    ['f>c', back],
    ['g>b', back],
  ];
  expect(codesOf({ links: [...chain, ...nested] })).toEqual([]);
  expect(codesOf({ links: [...chain, ...nested, ['h>a', back]] })).toContain('graph.loopsTooDeep');
});

test('the compiler refuses a loop and a group that cross. D4.11 A group without incoming links works through the task', () => {
  expect(codesOf({ links: ['s>a', 'a>b', 'b>c', ['c>a', back]], steps: { s: inGroup, a: inGroup }, groups })).toContain(
    'graph.regionsCross',
  );
  expect(codesOf({ links: ['a>b'], steps: { a: inGroup, b: inGroup }, groups })).toEqual([]);
});

test('D2.09 a link back that can be no loop is named by what refuses it', () => {
  const crossing = problemsOf({ links: ['s>a', 'a>b', 'b>c', ['c>a', back]], steps: { s: inGroup, a: inGroup }, groups });
  expect(crossing).toMatchObject([{ code: 'graph.regionsCross', linkIds: ['c>a'] }]);
});

test('the compiler refuses a path that leaves a group and enters it again, because the group would wait for itself', () => {
  expect(problemsOf({ links: ['s>a', 'a>x', 'x>b'], steps: { a: inGroup, b: inGroup }, groups })).toEqual([
    { code: 'graph.waitsForItself', nodeIds: ['a', 'x', 'b'], linkIds: ['a>x', 'x>b'] },
  ]);
  const twoGroups = [...groups, { id: 'h', onFailure: 'stop' as const }];
  const steps = { a: inGroup, d: inGroup, b: { groupId: 'h' }, c: { groupId: 'h' } };
  expect(codesOf({ links: ['s>a', 'a>b', 's>c', 'c>d'], steps, groups: twoGroups })).toEqual(['graph.waitsForItself']);
});

test('the compiler keeps the order of the list where links allow that order', () => {
  expect(compiled({ links: ['a>b', 'c>d', 'b>d'] }).order).toEqual(['a', 'b', 'c', 'd']);
  expect(compiled({ links: ['b>a'], steps: { a: {}, b: {} } }).order).toEqual(['b', 'a']);
});
