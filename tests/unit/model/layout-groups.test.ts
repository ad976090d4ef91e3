import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type Box, boxOf, liesIn } from '../../../src/model/document/annotations.ts';
import { groupTree } from '../../../src/model/layout/group-tree.ts';
import { layoutOf } from '../../../src/model/layout/layout-of.ts';
import { agentAt, documentOf, groupAt as group, noteAt as note } from '../../support/canvas/canvas-driver.ts';

const place = fc.integer({ min: -1_500, max: 1_500 });
const side = fc.integer({ min: 100, max: 2_000 });
const canvas = fc
  .record({
    cards: fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 14 }),
    groups: fc.array(fc.tuple(place, place, side, side), { maxLength: 5 }),
    notes: fc.array(fc.tuple(place, place), { maxLength: 5 }),
    pairs: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 20 }),
  })
  .map(({ cards, groups, notes, pairs }) => ({
    nodes: [
      ...groups.map(([x, y, width, height], at) => group(`g${at}`, x, y, width, height)),
      ...cards.map(([x, y], at) => agentAt(`c${at}`, x, y)),
      ...notes.map(([x, y], at) => note(`n${at}`, x, y)),
    ],
    links: pairs.map(([from, to]): [string, string] => [`c${from % cards.length}`, `c${to % cards.length}`]),
  }));

function laidOut(nodes: CanvasNode[], links: [string, string][], ids: string[] | null = null): CanvasNode[] {
  const places = layoutOf(documentOf(nodes, links), ids);
  return nodes.map((node) => {
    const box = places.get(node.id);
    return !box ? node : node.type === 'group' ? { ...node, ...box } : { ...node, x: box.x, y: box.y };
  });
}

function apart(a: Box, b: Box): boolean {
  return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

test('W3.01 after a layout every group holds its own whole, and covers no stranger; no card covers another', () => {
  fc.assert(
    fc.property(canvas, ({ nodes, links }) => {
      const tree = groupTree(nodes);
      const laid = laidOut(nodes, links);
      for (const a of laid) {
        const way = tree.wayTo(a.id);
        for (const b of laid) {
          if (a === b || a.type === 'note') continue;
          const isInside = tree.wayTo(b.id).includes(a.id);
          if (a.type === 'group' && isInside) expect(liesIn(b, boxOf(a))).toBe(true);
          else if (!way.includes(b.id) && b.type !== 'note') expect(apart(boxOf(a), boxOf(b))).toBe(true);
          else if (a.type === 'group' && b.type === 'note') expect(liesIn(b, boxOf(a))).toBe(false);
        }
      }
    }),
  );
});

test('W3.01 a layout does not depend on the order in which cards, groups and notes are kept', () => {
  fc.assert(
    fc.property(canvas, ({ nodes, links }) => {
      const straight = layoutOf(documentOf(nodes, links), null);
      const reversed = layoutOf(documentOf(nodes.toReversed(), links.toReversed()), null);
      for (const { id } of nodes) expect(reversed.get(id)).toEqual(straight.get(id));
    }),
  );
});

test('W3.01 a group is drawn close round its cards, laid out from left to right inside, and stands in the row of the links', () => {
  const nodes = [group('team', 0, 0, 1_200, 900), agentAt('a', 600, 500), agentAt('b', 100, 100), agentAt('before', -900, 40)];
  const [team, a, b, before] = laidOut(nodes, [
    ['before', 'a'],
    ['a', 'b'],
  ]) as [CanvasNode, CanvasNode, CanvasNode, CanvasNode];
  expect(b.x - a.x).toBe(400);
  expect(boxOf(team)).toEqual({ x: a.x - 32, y: a.y - 32, width: 680 + 64, height: 156 + 64 });
  expect(team.x).toBe(before.x + 400);
  expect(a.y).toBe(before.y);
});

test('W3.01 a note stays beside the card that it stood by, on the same side of a group, and alone where nothing is near', () => {
  const nodes = [
    agentAt('a', 0, 0),
    agentAt('b', 0, 300),
    note('under', 20, 460),
    group('team', 1_000, 0, 900, 600),
    agentAt('c', 1_100, 100),
    note('right', 1_910, 10),
    note('lone', 4_000, 4_000),
  ];
  const [, b, under, team, , right, lone] = laidOut(nodes, [['a', 'b']]) as [
    CanvasNode,
    CanvasNode,
    CanvasNode,
    CanvasNode,
    CanvasNode,
    CanvasNode,
    CanvasNode,
  ];
  expect({ x: under.x - b.x, y: under.y - b.y }).toEqual({ x: 20, y: 160 });
  expect({ x: right.x - team.x - (team.width ?? 0), y: right.y - team.y }).toEqual({ x: 10, y: 10 });
  expect([b, team].every((other) => apart(boxOf(lone), boxOf(other)))).toBe(true);
});

test('W3.01 a group that grows takes no note in that lay across its edge', () => {
  const nodes = [group('team', 6, 0, 102, 100), agentAt('a', -32, 0), note('across', 0, 0)];
  const [team, a, across] = laidOut(nodes, []) as [CanvasNode, CanvasNode, CanvasNode];
  expect(liesIn(a, boxOf(team))).toBe(true);
  expect(liesIn(across, boxOf(team))).toBe(false);
});

test('W3.01 cards laid out alone stay in their group, which grows as far as it takes; what is not chosen stays', () => {
  const nodes = [group('team', 0, 0, 700, 400), agentAt('a', 40, 40), agentAt('b', 60, 60), agentAt('c', 3_000, 0)];
  const [team, a, b, c] = laidOut(nodes, [['a', 'b']], ['a', 'b']) as [CanvasNode, CanvasNode, CanvasNode, CanvasNode];
  expect([a.x, b.x, c.x]).toEqual([40, 440, 3_000]);
  expect(boxOf(team)).toEqual({ x: 0, y: 0, width: 440 + 280 + 32, height: 400 });
});

test('G1.03 the link of a review loop leads left after a layout, wherever the loop is entered', () => {
  const canvas = documentOf(
    [agentAt('reviewer', 0, 0), agentAt('writer', 600, 0), agentAt('other', 0, 400)],
    [
      ['reviewer', 'writer'],
      ['writer', 'reviewer'],
    ],
  );
  const back = canvas.connections['reviewer-writer'] as Connection;
  const marked = { ...canvas, connections: { ...canvas.connections, [back.id]: { ...back, run: { maxRounds: 3 } } } };
  const x = (document: CanvasDocument, id: string) => layoutOf(document, null).get(id)?.x ?? Number.NaN;
  expect(x(canvas, 'reviewer')).toBeLessThan(x(canvas, 'writer'));
  expect(x(marked, 'writer')).toBeLessThan(x(marked, 'reviewer'));
});
