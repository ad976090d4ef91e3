import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { nodeBox } from '../../../../src/canvas/geometry/document-bounds.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { midpointOf } from '../../../../src/canvas/geometry/link-path.ts';
import { RouteFinder } from '../../../../src/canvas/geometry/routes/route-finder.ts';
import { documentBounds, routesOf } from '../../../../src/canvas/geometry/routes/routes-of.ts';
import { routing } from '../../../../src/canvas/geometry/routes/routing.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

routing.set(RouteFinder);

type Points = { x: number; y: number }[];

function routeOf(document: CanvasDocument, linkId: string): Points {
  const corners = routesOf(document).corners(linkId) ?? [];
  return Array.from({ length: corners.length / 2 }, (_, i) => ({ x: corners[2 * i] as number, y: corners[2 * i + 1] as number }));
}

/** Cards a, b, c… in a row with gaps of 120. */
function row(count: number, links: [string, string][]): CanvasDocument {
  return documentOf(
    Array.from({ length: count }, (_, i) => agentAt('abcdefgh'[i] as string, i * 400, 0)),
    links,
  );
}

const rowTop = 0;
const rowBottom = 156;

describe('lanes of a row', () => {
  test('D3.01 a link over cards of its row goes above them, and a longer one above a shorter one', () => {
    const document = row(5, [
      ['a', 'c'],
      ['a', 'e'],
      ['b', 'd'],
    ]);
    const [short, long] = [routeOf(document, 'a-c'), routeOf(document, 'a-e')];
    expect(short).toHaveLength(6);
    expect(short[2]?.y).toBeLessThan(rowTop);
    expect(long[2]?.y).toBeLessThan(short[2]?.y as number);
    // It leaves and enters beside its own cards.
    expect(short.map(({ x }) => x)).toEqual([280, 320, 320, expect.closeTo(760, -1.5), expect.closeTo(760, -1.5), 800]);
  });

  test('D3.01 links that lead back lie under the row, one in another, and the only one 40 below', () => {
    expect(routeOf(row(3, [['c', 'a']]), 'c-a')[2]?.y).toBe(rowBottom + 40);
    const document = row(5, [
      ['d', 'c'],
      ['d', 'b'],
      ['e', 'a'],
    ]);
    const depths = ['d-c', 'd-b', 'e-a'].map((id) => routeOf(document, id)[2]?.y as number);
    expect(depths[0]).toBe(rowBottom + 40);
    expect(depths[1]).toBeGreaterThan(depths[0] as number);
    expect(depths[2]).toBeGreaterThan(depths[1] as number);
  });

  test('D3.01 links with a common end share their way until they part', () => {
    const document = row(5, [
      ['a', 'c'],
      ['a', 'd'],
    ]);
    const [one, other] = [routeOf(document, 'a-c'), routeOf(document, 'a-d')];
    expect(one[1]).toEqual(other[1]);
    expect(one[2]?.y).not.toBe(other[2]?.y);
  });

  test('D3.02 a link over a gap of less than 40 is a straight line', () => {
    const document = documentOf([agentAt('a', 0, 0), agentAt('b', 319, 300)], [['a', 'b']]);
    expect(routeOf(document, 'a-b')).toEqual([
      { x: 280, y: 78 },
      { x: 319, y: 378 },
    ]);
    expect(routeOf(documentOf([agentAt('a', 0, 0), agentAt('b', 320, 300)], [['a', 'b']]), 'a-b')).toHaveLength(4);
  });

  test('D3.01 the box of a canvas holds its links, and the middle of a link lies on its route', () => {
    const document = row(3, [['a', 'c']]);
    const lane = routeOf(document, 'a-c')[2]?.y as number;
    expect(documentBounds(document)?.top).toBe(lane);
    expect(midpointOf(routesOf(document).corners('a-c') as number[])).toEqual({ x: 540, y: lane });
  });
});

test('D3.03 while cards move in each frame, links take the plain way', () => {
  const index = new DocumentIndex();
  index.update(row(3, [['a', 'c']]), touchedAll);
  expect(index.routes.setMoving(true)).toBe(true);
  expect(index.routes.corners('a-c')).toEqual([280, 78, 800, 78]);
  expect(index.routes.setMoving(false)).toBe(true);
  expect(index.routes.corners('a-c')).toHaveLength(12);
});

test('D3.03 a moved card outdates its own routes and those near it, and no others', () => {
  const cards = [0, 1, 2].flatMap((at) => ['a', 'b', 'c'].map((name, i) => agentAt(`${name}${at}`, i * 400, at * 2_000)));
  const links = [0, 1, 2].flatMap((at): [string, string][] => [
    [`a${at}`, `b${at}`],
    [`a${at}`, `c${at}`],
  ]);
  const document = documentOf(cards, links);
  const index = new DocumentIndex();
  index.update(document, touchedAll);
  for (const id in document.connections) index.routes.corners(id);
  const nodes = { ...document.nodes, b1: agentAt('b1', 400, 2_300) };
  const { routes } = index.update({ ...document, nodes }, { nodes: new Set(['b1']), links: new Set() });
  expect(routes).toEqual(new Set(['a1-b1', 'a1-c1']));
  expect(index.routes.corners('a1-c1')).toEqual([280, 2_078, 800, 2_078]);
  // A card that is renamed outdates none.
  expect(index.update({ ...document, nodes }, { nodes: new Set(['b1']), links: new Set() }).routes).toEqual(new Set());
});

test('D3.03 a hub with more links than get lanes keeps its routes, and a later edit finds the same', () => {
  const cards = [agentAt('hub', 0, 0), agentAt('other', 0, 200), ...Array.from({ length: 700 }, (_, i) => agentAt(`t${i}`, 440, i * 200))];
  const links = cards.slice(2).map(({ id }, i): [string, string] => [i % 2 === 0 ? 'hub' : 'other', id]);
  const index = new DocumentIndex();
  const document = documentOf(cards, links);
  index.update(document, touchedAll);
  for (const id in document.connections) expect(index.routes.corners(id)).not.toBeNull();
  const nodes = { ...document.nodes, hub: agentAt('hub', 20, 40) };
  index.update({ ...document, nodes }, { nodes: new Set(['hub']), links: new Set() });
  const fresh = new DocumentIndex();
  fresh.update({ ...document, nodes }, touchedAll);
  for (const id in document.connections) expect(index.routes.corners(id)).toEqual(fresh.routes.corners(id));
});

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
