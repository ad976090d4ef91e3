import { expect, test } from 'vitest';
import { allGroups, groupsToFold, toggleFolds } from '../../../../src/canvas/folding/fold-changes.ts';
import { openedFor } from '../../../../src/canvas/folding/opened-for.ts';
import { agentAt, documentOf, groupAt } from '../../../support/canvas/canvas-driver.ts';

const { nodes } = documentOf([
  groupAt('outer', 0, 0, 1_600, 700),
  groupAt('inner', 40, 40, 800, 300),
  groupAt('other', 2_000, 0, 800, 300),
  agentAt('a', 80, 80),
  agentAt('b', 1_200, 400),
  agentAt('x', -500, 0),
]);

test('D4.31 F folds the selected groups, and of a selected card the innermost group around it; a card outside of groups folds nothing', () => {
  expect([...groupsToFold(nodes, ['other', 'a'])].sort()).toEqual(['inner', 'other']);
  expect([...groupsToFold(nodes, ['b'])]).toEqual(['outer']);
  expect([...groupsToFold(nodes, ['x'])]).toEqual([]);
});

test('D4.31 several groups are all folded if at least one of them is open, else all are opened', () => {
  const folded = toggleFolds(new Set(['other']), new Set(['inner', 'other']));
  expect([...folded].sort()).toEqual(['inner', 'other']);
  expect([...toggleFolds(folded, new Set(['inner', 'other']))]).toEqual([]);
});

test('D4.31 Shift+F folds all groups, and opens all once all are folded', () => {
  const all = allGroups(nodes);
  const folded = toggleFolds(new Set(['inner']), all);
  expect([...folded].sort()).toEqual(['inner', 'other', 'outer']);
  expect([...toggleFolds(folded, all)]).toEqual([]);
});

test('D4.33 showing a card opens the folded groups around that card and no other group', () => {
  const folded = new Set(['outer', 'inner', 'other']);
  expect([...openedFor(nodes, folded, ['a'])]).toEqual(['other']);
  expect([...openedFor(nodes, folded, ['inner'])].sort()).toEqual(['inner', 'other']);
  expect(openedFor(nodes, folded, ['x'])).toBe(folded);
});
