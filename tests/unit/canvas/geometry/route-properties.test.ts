import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { nodeBox, unionBox } from '../../../../src/canvas/geometry/document-bounds.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { cornersExtent } from '../../../../src/canvas/geometry/link-path.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';
import { type Points, routeOf } from '../../../support/canvas/route-of.ts';

/** A grid of cards with free space between rows and columns, each up to 20 beside its place; `links` by the cards' numbers. */
const grids = fc
  .record({
    columns: fc.integer({ min: 2, max: 5 }),
    rows: fc.integer({ min: 1, max: 4 }),
    shifts: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), { minLength: 20, maxLength: 20 }),
    ends: fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { minLength: 1, maxLength: 9 }),
  })
  .map(({ columns, rows, shifts, ends }) => {
    const count = columns * rows;
    const cards = Array.from({ length: count }, (_, i) => {
      const [dx, dy] = shifts[i] as [number, number];
      return agentAt(`c${i}`, (i % columns) * 440 + dx, Math.floor(i / columns) * 280 + dy);
    });
    const links = ends.map(([a, b]) => [a % count, b % count] as const).filter(([a, b]) => a !== b);
    return documentOf(
      cards,
      links.map(([a, b]) => [`c${a}`, `c${b}`]),
    );
  });

/** The segments of a link between its first and its last corner. */
function lanesOf(document: CanvasDocument, linkId: string) {
  const points = routeOf(document, linkId);
  return points.slice(1, -2).map((from, i) => {
    const to = points[i + 2] as Points[number];
    const isVertical = from.x === to.x;
    const [a, b] = isVertical ? [from.y, to.y] : [from.x, to.x];
    return { isVertical, at: isVertical ? from.x : from.y, low: Math.min(a, b), high: Math.max(a, b) };
  });
}

test('D3.01 no link crosses a card where there is space between the cards', () => {
  fc.assert(
    fc.property(grids, (document) => {
      for (const { id, from, to } of Object.values(document.connections)) {
        const points = routeOf(document, id);
        for (const card of Object.values(document.nodes)) {
          const isEnd = card.id === from.agentId || card.id === to.agentId;
          if (!isEnd || points.length > 2) expect(crosses(points, card), `${id} crosses ${card.id}`).toBe(false);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('D3.01 D4.30 a link leads round a folded group, and over an open one', () => {
  const [from, to] = [agentAt('a', 0, 0), agentAt('b', 900, 0)];
  const group = { ...agentAt('g', 460, 0), type: 'group' as const, width: 280, height: 156 };
  const around = (node: CanvasNode) => routeOf(documentOf([from, to, node], [['a', 'b']]), 'a-b');
  expect(crosses(around({ ...group, folded: { count: 2, frame: { width: 600, height: 300 } } } as CanvasNode), group)).toBe(false);
  expect(crosses(around(group), group)).toBe(true);
});

test('D3.01 no two links without a common end share a lane', () => {
  fc.assert(
    fc.property(grids, (document) => {
      const links = Object.values(document.connections);
      for (const a of links) {
        for (const b of links) {
          if (a.id >= b.id || a.from.agentId === b.from.agentId || a.to.agentId === b.to.agentId) continue;
          for (const one of lanesOf(document, a.id)) {
            for (const other of lanesOf(document, b.id)) {
              if (one.isVertical !== other.isVertical || Math.abs(one.at - other.at) > 1) continue;
              expect(Math.min(one.high, other.high) - Math.max(one.low, other.low), `${a.id} on ${b.id}`).toBeLessThan(1);
            }
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('D3.01 a route begins and ends at its ports and stays in the area of its link, however the cards lie', () => {
  const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 1_500 }), fc.integer({ min: 0, max: 1_000 })), {
    minLength: 4,
    maxLength: 12,
  });
  fc.assert(
    fc.property(places, (list) => {
      const cards = list.map(([x, y], i) => agentAt(`c${i}`, x, y));
      const links = cards.slice(1).map(({ id }, i): [string, string] => [id, `c${(i * 7) % (i + 1)}`]);
      const index = new DocumentIndex();
      index.update(documentOf(cards, links), touchedAll);
      for (const [slot, link] of index.links.records.entries()) {
        const { from, to, id } = link as NonNullable<typeof link>;
        const corners = index.routes.corners(id) as readonly number[];
        const [start, end] = [index.nodes.get(from.agentId), index.nodes.get(to.agentId)] as [CanvasNode, CanvasNode];
        expect(corners.slice(0, 2)).toEqual([start.x + 280, start.y + 78]);
        expect(corners.slice(-2)).toEqual([end.x, end.y + 78]);
        const [area, extent] = [index.links.box(slot), cornersExtent(corners)];
        expect(unionBox(area, extent)).toEqual(area);
      }
    }),
    { numRuns: 200 },
  );
});

test('D3.03 the same document gives the same routes, in whatever order the edits came', () => {
  const edits = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('move' as const),
        card: fc.nat(19),
        dx: fc.integer({ min: -500, max: 500 }),
        dy: fc.integer({ min: -300, max: 300 }),
      }),
      fc.record({ kind: fc.constant('link' as const), from: fc.nat(19), to: fc.nat(19) }),
      fc.record({ kind: fc.constant('unlink' as const), link: fc.nat(19) }),
      fc.record({ kind: fc.constant('remove' as const), card: fc.nat(19) }),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(grids, edits, (first, list) => {
      let document = first;
      const index = new DocumentIndex();
      index.update(document, touchedAll);
      const drawn = new Map<string, string>();
      const draw = (ids: Iterable<string>) => {
        for (const id of ids) drawn.set(id, JSON.stringify(index.routes.corners(id)));
      };
      draw(Object.keys(document.connections));
      for (const edit of list) {
        const next = edited(document, edit);
        document = next.document;
        const { links, routes } = index.update(document, next.touched);
        // What is not told of here is not drawn again.
        draw(routes === 'all' || links === 'all' ? Object.keys(document.connections) : [...links, ...routes]);
      }
      const fresh = new DocumentIndex();
      const reversed = { nodes: backwards(document.nodes), connections: backwards(document.connections) };
      fresh.update(reversed, touchedAll);
      for (const id of Object.keys(document.connections)) expect(drawn.get(id), id).toBe(JSON.stringify(fresh.routes.corners(id)));
    }),
    { numRuns: 200 },
  );
});

type Edit =
  | { kind: 'move'; card: number; dx: number; dy: number }
  | { kind: 'link'; from: number; to: number }
  | { kind: 'unlink'; link: number }
  | { kind: 'remove'; card: number };

function edited({ nodes, connections }: CanvasDocument, edit: Edit) {
  const touched = { nodes: new Set<string>(), links: new Set<string>() };
  const cards = Object.keys(nodes);
  const links = Object.keys(connections);
  const cardOf = (number: number) => cards[number % cards.length] ?? '';
  const next = { nodes: { ...nodes }, connections: { ...connections } };
  if (edit.kind === 'move' && nodes[cardOf(edit.card)]) {
    const card = nodes[cardOf(edit.card)] as CanvasNode;
    next.nodes[card.id] = { ...card, x: card.x + edit.dx, y: card.y + edit.dy };
    touched.nodes.add(card.id);
  } else if (edit.kind === 'link' && cardOf(edit.from) !== cardOf(edit.to)) {
    const added = Object.values(documentOf([], [[cardOf(edit.from), cardOf(edit.to)]]).connections)[0];
    if (added) {
      next.connections[added.id] = added;
      touched.links.add(added.id);
    }
  } else if (edit.kind === 'unlink' && links.length > 0) {
    const id = links[edit.link % links.length] as string;
    delete next.connections[id];
    touched.links.add(id);
  } else if (edit.kind === 'remove' && cards.length > 1) {
    const id = cardOf(edit.card);
    delete next.nodes[id];
    touched.nodes.add(id);
    for (const link of Object.values(connections)) {
      if (link.from.agentId !== id && link.to.agentId !== id) continue;
      delete next.connections[link.id];
      touched.links.add(link.id);
    }
  }
  return { document: next, touched };
}

function backwards<T>(records: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(records).reverse());
}

/** Whether a route of right angles leads through the inside of a card. */
function crosses(points: Points, card: CanvasNode): boolean {
  const { left, top, right, bottom } = nodeBox(card);
  return points.slice(1).some((to, i) => {
    const from = points[i] as Points[number];
    return (
      Math.min(from.x, to.x) < right && Math.max(from.x, to.x) > left && Math.min(from.y, to.y) < bottom && Math.max(from.y, to.y) > top
    );
  });
}
