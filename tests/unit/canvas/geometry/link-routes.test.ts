import { describe, expect, test } from 'vitest';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { DocumentIndex } from '../../../../src/canvas/geometry/document-index.ts';
import { midpointOf } from '../../../../src/canvas/geometry/link-path.ts';
import { documentBounds, routesOf } from '../../../../src/canvas/geometry/routes/routes-of.ts';
import { touchedAll } from '../../../../src/canvas/geometry/touched.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';
import { routeOf } from '../../../support/canvas/route-of.ts';

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

  test('D3.01 links that lead back are nested below the row, and a single one lies 40 below it', () => {
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

test('D3.03 while cards move in each frame, links are drawn without routes', () => {
  const index = new DocumentIndex();
  index.update(row(3, [['a', 'c']]), touchedAll);
  expect(index.routes.setMoving(true)).toBe(true);
  expect(index.routes.corners('a-c')).toEqual([280, 78, 800, 78]);
  expect(index.routes.setMoving(false)).toBe(true);
  expect(index.routes.corners('a-c')).toHaveLength(12);
});

test('D3.03 a moved card invalidates its own routes and those near it, and no others', () => {
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

test('D3.03 a hub with more links than lanes has a route for each link, and routes after an edit equal newly computed ones', () => {
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

describe('badges', () => {
  /** Whether a badge of a usual width lies on a card, or on what is `most` high of it. */
  const isOn = (document: CanvasDocument, linkId: string, most = 156) => {
    const at = routesOf(document).badgeAt(linkId) ?? { x: Number.NaN, y: Number.NaN };
    return Object.values(document.nodes).filter(({ x, y }) => at.x + 55 > x && at.x - 55 < x + 280 && at.y + 12 > y && at.y - 12 < y + most)
      .length;
  };

  test('G1.03 the badge of a link stands in its middle where no card is, and beside a card that would be under it', () => {
    const wide = documentOf([agentAt('a', 0, 0), agentAt('b', 600, 0)], [['a', 'b']]);
    expect(routesOf(wide).badgeAt('a-b')).toEqual({ x: 440, y: 78 });
    // The middle of the link is between two cards of a row; the free space above and below the row is near.
    const rows = documentOf(
      [agentAt('a', 0, 0), agentAt('b', 0, 236), agentAt('c', 0, 472), agentAt('d', 350, 236), agentAt('e', 350, 472)],
      [['a', 'e']],
    );
    expect(isOn(rows, 'a-e')).toBe(0);
  });

  test('G1.03 in a narrow gap the badge of a link leaves the titles of the cards free', () => {
    const near = documentOf([agentAt('a', 0, 118), agentAt('b', 350, 0)], [['a', 'b']]);
    expect(isOn(near, 'a-b')).toBeGreaterThan(0);
    expect(isOn(near, 'a-b', 60)).toBe(0);
    // The ends of a straight link leave no other place.
    const level = documentOf([agentAt('a', 0, 0), agentAt('b', 350, 0)], [['a', 'b']]);
    expect(routesOf(level).badgeAt('a-b')).toEqual({ x: 315, y: 78 });
    expect(routesOf(level).badgeAt('none')).toBeNull();
  });
});
