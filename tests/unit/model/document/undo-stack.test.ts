import { expect, test } from 'vitest';
import { UndoStack } from '../../../../src/model/document/undo-stack.ts';
import type { DocumentChange } from '../../../../src/model/document/working-document.ts';
import { link } from '../../../support/engine/samples.ts';

/** A change of nodes, and of links that are added between nodes. */
function change(nodeIds: string[], links: [string, string][] = []): DocumentChange {
  const patches: DocumentChange['patches'] = [
    ...nodeIds.map((id) => ({ op: 'replace' as const, path: ['nodes', id], value: { id } })),
    ...links.map(([from, to]) => ({ op: 'add' as const, path: ['connections', `${from}-${to}`], value: link(from, to) })),
  ];
  return { patches, inverse: patches.map(({ path }) => ({ op: 'remove', path })) };
}

/** The same change; `reads` counts how often its records were looked at. */
function watched(of: DocumentChange) {
  const counted = { reads: 0 };
  const step = {
    inverse: of.inverse,
    get patches() {
      counted.reads += 1;
      return of.patches;
    },
  };
  return { step, counted };
}

test('D6.06 a change is independent of steps that touch none of its cards and links, nor the ends of its links', () => {
  const undo = new UndoStack();
  undo.push(change(['a'], [['b', 'c']]));
  undo.push(change(['d']));
  undo.undo();
  const apart = (one: DocumentChange) => undo.standsApart(one);
  expect([apart(change(['e'])), apart(change(['a'])), apart(change(['c'])), apart(change(['d']))]).toEqual([true, false, false, false]);
  expect([apart(change([], [['e', 'b']])), apart(change([], [['e', 'f']]))]).toEqual([false, true]);
});

test('D6.06 steps that are dropped, joined, cleared and restored no longer hold what they touched, or hold it again', () => {
  const undo = new UndoStack(4);
  expect(undo.standsApart(change(['a']))).toBe(true);
  undo.push(change(['a']));
  undo.push(change(['b']));
  undo.undo();
  undo.push(change(['c']));
  expect([undo.standsApart(change(['a'])), undo.standsApart(change(['b']))]).toEqual([false, true]);
  undo.push(change(['c']), true);
  undo.push(change(['d', 'e', 'f', 'g']));
  expect([undo.standsApart(change(['a', 'b', 'c'])), undo.standsApart(change(['g']))]).toEqual([true, false]);
  const { kept } = structuredClone({ kept: undo.kept });
  undo.clear();
  expect(undo.standsApart(change(['g']))).toBe(true);
  const nodes = Object.fromEntries('defg'.split('').map((id) => [id, { id }]));
  expect(undo.restore(kept, { nodes, connections: {} } as never)).toBe(true);
  expect([undo.standsApart(change(['g'])), undo.standsApart(change(['c']))]).toEqual([false, true]);
});

test('D6.06 changes of others cost what they touch: no step is read again for them', () => {
  const undo = new UndoStack();
  const { step, counted } = watched(change(['a', 'b']));
  undo.push(step);
  undo.standsApart(change(['x']));
  const before = counted.reads;
  for (let at = 0; at < 10; at++) undo.standsApart(change([`x${at}`]));
  expect(counted.reads).toBe(before);
});
