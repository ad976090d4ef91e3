import { expect, test } from 'vitest';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { isFolded, linksBehind } from '../../../../src/canvas/folding/folded-records.ts';
import { Folding } from '../../../../src/canvas/folding/folding.ts';
import { agentAt, documentOf, groupAt, noteAt } from '../../../support/canvas/canvas-driver.ts';
import { foldWords } from '../../../support/canvas/fold-words.ts';

/** Two cards in an inner group of an outer one, one more in the outer one, and two outside. */
function nested(): CanvasDocument {
  return documentOf(
    [
      groupAt('outer', 0, 0, 1_600, 700),
      groupAt('inner', 40, 40, 800, 300),
      agentAt('a', 80, 80),
      agentAt('b', 480, 80),
      agentAt('c', 1_200, 400),
      noteAt('note', 900, 100),
      agentAt('x', -500, 0),
      agentAt('y', 2_000, 0),
    ],
    [
      ['x', 'a'],
      ['x', 'b'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'y'],
      ['x', 'y'],
    ],
  );
}

/** The shown nodes, and the lines by their ends with the number of links behind each. */
function shown({ nodes, connections }: Folding) {
  const lines = Object.values(connections).map(({ from, to, ...line }) => [
    `${from.agentId}>${to.agentId}`,
    linksBehind({ from, to, ...line }).length,
  ]);
  return { nodes: Object.keys(nodes).sort(), lines: Object.fromEntries(lines) };
}

test('D4.30 a folded group is one card at its place; links to its cards lead to that card, several links are one line, inner links are hidden', () => {
  const document = nested();
  const before = structuredClone(document);
  const folding = new Folding(document, new Set(['inner']), foldWords);
  expect(shown(folding)).toEqual({
    nodes: ['c', 'inner', 'note', 'outer', 'x', 'y'],
    lines: { 'x>inner': 2, 'inner>c': 1, 'c>y': 1, 'x>y': 1 },
  });
  expect(folding.nodes.inner).toMatchObject({ x: 40, y: 40, width: 280, height: 156, folded: { count: 2 } });
  expect(folding.nodes.c).toBe(document.nodes.c);
  expect(document).toEqual(before);
});

test('D4.30 groups within a folded group are shown as the outermost group, and stay folded as before once the outermost group is open', () => {
  const document = nested();
  const both = new Folding(document, new Set(['inner', 'outer']), foldWords);
  expect(shown(both)).toEqual({ nodes: ['outer', 'x', 'y'], lines: { 'x>outer': 2, 'outer>y': 1, 'x>y': 1 } });
  expect(both.nodes.outer).toMatchObject({ folded: { count: 4 } });
  expect([both.shownAs('a'), both.shownAs('inner'), both.shownAs('x')]).toEqual(['outer', 'outer', 'x']);
  expect([both.lineOf('x-b'), both.lineOf('a-b'), both.lineOf('x-y')]).toEqual(['x-a', undefined, 'x-y']);
});

test('D4.30 an unknown group, and one of another canvas, fold nothing', () => {
  expect(new Folding(nested(), new Set(['gone', 'a']), foldWords).isEmpty).toBe(true);
});

test('D4.30 random changes of the document lead to what folding the changed document shows, and name all that they change', () => {
  const random = seeded(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const document = nested();
  const folded = new Set(['inner', 'outer', 'g2']);
  let folding = new Folding(document, folded, foldWords);
  let refolded = 0;
  for (let step = 0; step < 600; step++) {
    const was = { nodes: { ...folding.nodes }, connections: { ...folding.connections } };
    const touched = { nodes: new Set<string>(), links: new Set<string>() };
    for (let edits = 0; edits < 1 + Math.floor(random() * 3); edits++) change(document, touched, { random, pick, step });
    const change_ = folding.update(document, touched);
    if (!change_) {
      refolded += 1;
      folding = new Folding(document, folded, foldWords);
      continue;
    }
    const anew = new Folding(document, folded, foldWords);
    expect(sorted(folding)).toEqual(sorted(anew));
    const { nodes, links } = change_.touched;
    for (const id of new Set([...Object.keys(was.nodes), ...Object.keys(folding.nodes)])) {
      if (JSON.stringify(was.nodes[id]) !== JSON.stringify(folding.nodes[id])) expect(nodes).toContain(id);
    }
    for (const id of new Set([...Object.keys(was.connections), ...Object.keys(folding.connections)])) {
      if (JSON.stringify(was.connections[id]) !== JSON.stringify(folding.connections[id])) expect(links).toContain(id);
    }
  }
  expect(refolded).toBeGreaterThan(0);
  expect(refolded).toBeLessThan(300);
});

type Edit = { random: () => number; pick: <T>(list: readonly T[]) => T; step: number };

function change({ nodes, connections }: CanvasDocument, touched: { nodes: Set<string>; links: Set<string> }, { random, pick, step }: Edit) {
  const id = pick(Object.keys(nodes));
  const kind = random();
  const place = () => ({ x: Math.round(random() * 2_400 - 500), y: Math.round(random() * 900 - 100) });
  if (kind < 0.45) {
    const node = nodes[id];
    if (!node) return;
    nodes[id] = { ...node, ...(node.type === 'group' && random() < 0.7 ? { title: `t${step}` } : place()) };
    touched.nodes.add(id);
  } else if (kind < 0.6) {
    const added = `n${step}${random()}`;
    nodes[added] = random() < 0.9 ? { ...agentAt(added, 0, 0), ...place() } : { ...groupAt('g2', 0, 0, 500, 300), ...place(), id: 'g2' };
    if (nodes[added]?.id === 'g2') {
      nodes.g2 = nodes[added];
      delete nodes[added];
    }
    touched.nodes.add(nodes[added] ? added : 'g2');
  } else if (kind < 0.7 && Object.keys(nodes).length > 6) {
    delete nodes[id];
    touched.nodes.add(id);
    for (const link of Object.values(connections)) {
      if (link.from.agentId !== id && link.to.agentId !== id) continue;
      delete connections[link.id];
      touched.links.add(link.id);
    }
  } else if (kind < 0.9) {
    const link = {
      id: `l${step}${random()}`,
      from: { agentId: id, port: 'out' as const },
      to: { agentId: pick(Object.keys(nodes)), port: 'in' as const },
    };
    connections[link.id] = link;
    touched.links.add(link.id);
  } else {
    const gone = pick(Object.keys(connections));
    if (gone === undefined) return;
    delete connections[gone];
    touched.links.add(gone);
  }
}

/** What is shown, with the links behind a line in no order: the id of a line depends on which link came first. */
function sorted({ nodes, connections }: Folding) {
  const lines = Object.values(connections).map((line) => [line.from.agentId, line.to.agentId, ...[...linksBehind(line)].sort()].join(' '));
  const cards = Object.values(nodes).map((node) =>
    [node.id, node.x, node.y, node.title, isFolded(node) ? node.folded.count : -1].join(' '),
  );
  return { lines: lines.sort(), cards: cards.sort() };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
