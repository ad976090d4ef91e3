import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { changedFields } from '../../../../src/model/versions/changed-fields.ts';
import { compareDocuments, countDifferences, earlierDocument, nodeDifference } from '../../../../src/model/versions/comparison.ts';
import { wordDifferences } from '../../../../src/model/versions/word-differences.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const aNode = fc.record({
  x: fc.integer({ min: 0, max: 2 }),
  y: fc.integer({ min: 0, max: 2 }),
  title: fc.constantFrom('One', 'Two'),
  goal: fc.option(fc.constantFrom('Win', 'Lose'), { nil: undefined }),
});
const aDocument: fc.Arbitrary<CanvasDocument> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...ids), aNode),
    fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 6 }),
  )
  .map(([nodes, links]) => ({
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, { id, type: 'dialog', ...node }])),
    connections: Object.fromEntries(
      links.map(([from, to]) => [
        `${from}-${to}`,
        { id: `${from}-${to}`, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } },
      ]),
    ),
  }));

test('G6.08 undoing the differences gives the version of the comparison, and a version has no difference from itself', () => {
  fc.assert(
    fc.property(aDocument, aDocument, (before, now) => {
      const comparison = compareDocuments(before, now);
      expect(earlierDocument(now, comparison)).toEqual(before);
      expect(countDifferences(compareDocuments(now, now))).toEqual({ added: 0, removed: 0, changed: 0, moved: 0 });
      const back = countDifferences(compareDocuments(now, before));
      const there = countDifferences(comparison);
      expect([back.added, back.removed, back.changed, back.moved]).toEqual([there.removed, there.added, there.changed, there.moved]);
    }),
  );
});

test('G6.08 a card is only moved when nothing but its place differs', () => {
  const node: CanvasNode = { id: 'a', type: 'note', title: 'Note', x: 0, y: 0, width: 100, height: 80 };
  expect(nodeDifference(node, { ...node, x: 40 })?.kind).toBe('moved');
  expect(nodeDifference(node, { ...node, x: 40, title: 'Other' })?.kind).toBe('changed');
  expect(nodeDifference(node, { ...node, width: 200 })?.kind).toBe('changed');
  expect(nodeDifference(node, { ...node, goal: undefined })).toBeNull();
});

test('G6.09 changed fields are listed by their path, place and size as one field each', () => {
  const before = { id: 'a', x: 0, y: 0.4, width: 100, height: 80, title: 'One', step: { round: 1, person: { text: 'Yes?' } }, tags: ['a'] };
  const after = {
    id: 'a',
    x: 8,
    y: 0.4,
    width: 100,
    height: 90,
    title: 'One',
    step: { round: 1, person: { text: 'No?' } },
    tags: ['a', 'b'],
    goal: 'Win',
  };
  expect(changedFields(before, after)).toEqual([
    { path: 'place', before: '0, 0', after: '8, 0' },
    { path: 'size', before: '100 × 80', after: '100 × 90' },
    { path: 'step.person.text', before: 'Yes?', after: 'No?' },
    { path: 'tags', before: ['a'], after: ['a', 'b'] },
    { path: 'goal', before: undefined, after: 'Win' },
  ]);
});

test('G6.09 the parts of a word difference are both texts, and what is the same is not marked', () => {
  const text = fc
    .array(fc.constantFrom('the ', 'red ', 'fox', '. ', 'не ', '😀', '\n', 'runs '), { maxLength: 14 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDifferences(before, after);
      const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('');
      expect([without('added'), without('removed')]).toEqual([before, after]);
      if (before === after) expect(parts.every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
  expect(wordDifferences('Write the plan.', 'Write a short plan.')).toEqual([
    { kind: 'same', text: 'Write ' },
    { kind: 'removed', text: 'the ' },
    { kind: 'added', text: 'a short ' },
    { kind: 'same', text: 'plan.' },
  ]);
});

test('G6.09 very long texts without common words are shown as replaced', () => {
  const [before, after] = ['a', 'b'].map((letter) => Array.from({ length: 2_000 }, (_, at) => `${letter}${at}`).join(' '));
  expect(wordDifferences(before as string, after as string).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
