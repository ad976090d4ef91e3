import { expect, test } from 'vitest';
import { groupBox, withContents } from '../../../src/model/document/annotations.ts';
import { nodeSize } from '../../../src/model/document/node-size.ts';
import { brokenRules } from '../../support/canvas/broken-rules.ts';
import { agentAt, documentOf, groupAt as group, noteAt as note } from '../../support/canvas/canvas-driver.ts';

test('W3.01 a group is drawn round what is in it, with room to spare', () => {
  const a = agentAt('a', 0, 0);
  const box = groupBox([a, note('n', 400, 300)]);
  expect(box).toEqual({ x: -32, y: -32, width: 400 + 220 + 64, height: 300 + 160 + 64 });
  expect(nodeSize(group('g', 0, 0, 700, 500))).toEqual({ width: 700, height: 500 });
});

test('W3.01 a moved group moves the cards and notes whose centre lies inside, and smaller groups that lie entirely inside', () => {
  const { nodes } = documentOf([
    group('outer', 0, 0, 1_000, 800),
    group('inner', 40, 40, 400, 300),
    group('half', 900, 100, 300, 300),
    agentAt('in', 860, 200),
    agentAt('out', 861, 200),
    note('n', 50, 50),
  ]);
  expect(withContents(nodes, new Set(['outer']))).toEqual(new Set(['outer', 'inner', 'in', 'n']));
  expect(withContents(nodes, new Set(['inner']))).toEqual(new Set(['inner', 'n']));
  const cards = new Set(['in']);
  expect(withContents(nodes, cards)).toBe(cards);
});

test('W5.05 a link to or from a note or a group is a mistake', () => {
  const document = documentOf([agentAt('a', 0, 0), note('n', 300, 0)], [['a', 'n']]);
  expect(brokenRules(document, null).map(({ code }) => code)).toContain('link.annotation');
  const alone = documentOf([agentAt('a', 0, 0), note('n', 300, 0), group('g', 0, 0, 600, 400)]);
  expect(brokenRules(alone, null).filter(({ severity }) => severity === 'error')).toEqual([]);
});
