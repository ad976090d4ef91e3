import fc from 'fast-check';
import { applyPatches, enablePatches, type Patch } from 'immer';
import { expect, test } from 'vitest';
import { canvasDocument, maxCoordinate } from '../../../contract/canvas.ts';
import { documentDifferences } from '../../../src/model/document/document-differences.ts';
import type { EditCommand, SelectionCommand } from '../../../src/model/document/edit-command.ts';
import { UndoStack } from '../../../src/model/document/undo-stack.ts';
import { WorkingDocument } from '../../../src/model/document/working-document.ts';
import { writeCanvasText } from '../../../src/model/document/write-canvas-text.ts';
import { editDocument } from '../../support/engine/edit-document.ts';
import { chainDocument, dialogNode, link, team } from '../../support/engine/samples.ts';

enablePatches();
const ids = fc.constantFrom('d', 'a', 'b', 'c', 'e', 'f', 'made-1', 'made-2', 'made-3');
const linkIds = fc.tuple(ids, ids).map(([from, to]) => `conn-${from}-${to}`);
const coordinate = fc.oneof(
  fc.double({ min: -20_000, max: 20_000, noNaN: true }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, maxCoordinate, -maxCoordinate, 1e300),
);
const point = fc.record({ x: coordinate, y: coordinate });
const item = fc.oneof(
  fc.constantFrom(...team).map(({ id }) => ({ kind: 'agent', agentId: id }) as const),
  fc.constantFrom(
    { kind: 'start' } as const,
    { kind: 'dialog' } as const,
    { kind: 'user', key: 'tester', title: 'Tester', hue: 'rose' } as const,
    { kind: 'flow', templateId: 'quick-fix' } as const,
  ),
);
const command: fc.Arbitrary<EditCommand | SelectionCommand> = fc.oneof(
  fc.record({ type: fc.constant('node.place' as const), item, at: fc.option(point, { nil: undefined }) }),
  fc.record({
    type: fc.constant('node.add' as const),
    nodes: fc.array(
      fc.tuple(ids, point).map(([id, at]) => ({ ...dialogNode(id, at.x, at.y) })),
      { maxLength: 3 },
    ),
    connections: fc.array(
      fc.tuple(ids, ids).map(([from, to]) => link(from, to)),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('node.move' as const),
    moves: fc.array(
      fc.tuple(ids, point).map(([id, at]) => ({ id, ...at })),
      { maxLength: 4 },
    ),
  }),
  fc.record({
    type: fc.constant('node.update' as const),
    id: ids,
    changes: fc.record(
      { title: fc.string({ maxLength: 20 }), goal: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('selection.remove' as const),
    nodeIds: fc.array(ids, { maxLength: 3 }),
    connectionIds: fc.array(linkIds, { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('link.add' as const), from: ids, to: ids }),
  fc.record({ type: fc.constant('link.loop' as const), id: linkIds }),
  fc.record({ type: fc.constant('node.ask' as const), id: ids }),
  fc.record({ type: fc.constant('node.choose' as const), id: ids }),
  fc.record({
    type: fc.constant('link.update' as const),
    id: linkIds,
    changes: fc.record(
      {
        label: fc.option(fc.constantFrom('accepted', 'rework', ' '), { nil: undefined }),
        maxRounds: fc.option(fc.integer({ min: 0, max: 21 }), { nil: undefined }),
        onFailure: fc.constantFrom(true as const, undefined),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('links.hold' as const),
    ids: fc.array(linkIds, { maxLength: 3 }),
    hold: fc.constantFrom('always' as const, 'once' as const, undefined),
  }),
  fc.record({ type: fc.constant('nodes.group' as const), nodeIds: fc.array(ids, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('nodes.layout' as const), nodeIds: fc.option(fc.array(ids, { maxLength: 4 }), { nil: undefined }) }),
  fc.constant({ type: 'canvas.replace' as const, text: writeCanvasText(chainDocument(), new Set(['d', 'a', 'b'])) }),
  fc.record({
    type: fc.constant('nodes.duplicate' as const),
    nodeIds: fc.array(ids, { maxLength: 4 }),
    dx: coordinate,
    dy: fc.constantFrom(0, 20),
  }),
  fc.record({
    type: fc.constant('nodes.paste' as const),
    text: fc
      .array(ids, { maxLength: 4 })
      .map((some) => writeCanvasText(chainDocument(), new Set(some)))
      .chain((text) => fc.constantFrom(text, text.replace('"a"', '"b"'), text.slice(1))),
    at: point,
  }),
);
const step = fc.oneof({ weight: 4, arbitrary: command }, { weight: 1, arbitrary: fc.constantFrom('undo' as const, 'redo' as const) });

test('W4.12 any sequence of commands replays from its patches, undoes to the start and keeps the document whole', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { working, does } = editDocument();
      const undo = new UndoStack();
      const log: Patch[][] = [];
      for (const next of steps) {
        if (next === 'undo' || next === 'redo') {
          const taken = next === 'undo' ? undo.undo() : undo.redo();
          const change = taken && working.apply(next === 'undo' ? taken.inverse : taken.patches);
          if (change) log.push(change.patches);
        } else {
          const before = structuredClone(working.document);
          const edited = does(next);
          if (!edited.ok) expect(working.document).toEqual(before);
          else if (edited.value.change) {
            undo.push(edited.value.change);
            log.push(edited.value.change.patches);
          }
        }
        expectWhole(working);
      }
      const replayed = log.reduce((document, patches) => applyPatches(document, patches), chainDocument());
      expect(replayed).toEqual(working.document);
      for (let taken = undo.undo(); taken; taken = undo.undo()) working.apply(taken.inverse);
      expect(working.document).toEqual(chainDocument());
    }),
    { numRuns: 300 },
  );
});

test('W5.02 no command puts or moves anything beyond the limits of the canvas', () => {
  const { working, does } = editDocument();
  const far = { ...dialogNode('far', 2 * maxCoordinate, 0) };
  const refused = { ok: false, error: { code: 'drop.notFinite' } };
  expect(does({ type: 'node.add', nodes: [far] })).toEqual(refused);
  expect(does({ type: 'node.move', moves: [{ id: 'a', x: 0, y: -1e300 }] })).toEqual(refused);
  expect(does({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 2 * maxCoordinate, dy: 0 })).toEqual(refused);
  expect(does({ type: 'canvas.replace', text: JSON.stringify({ nodes: [far] }) })).toMatchObject({
    ok: false,
    error: { code: 'clip.unsound' },
  });
  expect(working.document).toEqual(chainDocument());
  const ends = [dialogNode('east', maxCoordinate, 0), dialogNode('west', -maxCoordinate, 0)];
  expect(does({ type: 'node.add', nodes: ends })).toMatchObject({ ok: true });
  expect(does({ type: 'nodes.group', nodeIds: ['east', 'west'] })).toEqual({ ok: false, error: { code: 'node.unfit' } });
  expect(does({ type: 'nodes.group', nodeIds: ['east', 'a'] })).toMatchObject({ ok: true });
});

test('W5.05 links that come with cards do not lead to notes or groups', () => {
  const { working, does } = editDocument();
  const note = { ...dialogNode('note', 0, 0), type: 'note' as const };
  expect(does({ type: 'node.add', nodes: [note], connections: [link('a', 'note')] })).toEqual({
    ok: false,
    error: { code: 'link.annotation' },
  });
  const text = JSON.stringify({ nodes: [dialogNode('x', 0, 0), note], connections: [link('x', 'note')] });
  expect(does({ type: 'nodes.paste', text })).toMatchObject({ error: { details: [{ code: 'clip.linkAnnotation' }] } });
  expect(working.document).toEqual(chainDocument());
});

test('W4.12 deleting a node deletes all its links, and undo brings all of it back', () => {
  const { working, does } = editDocument();
  const removed = does({ type: 'selection.remove', nodeIds: ['a'], connectionIds: [] });
  expect(Object.keys(working.document.connections)).toEqual(['conn-b-c']);
  if (!removed.ok || !removed.value.change) throw new Error('Nothing was removed');
  working.apply(removed.value.change.inverse);
  expect(working.document).toEqual(chainDocument());
});

test('W4.11 a link is named after its ends and refused onto itself, twice, and where an end is missing', () => {
  const { does } = editDocument();
  expect(does({ type: 'link.add', from: 'a', to: 'c' })).toMatchObject({ ok: true, value: { result: { connectionIds: ['conn-a-c'] } } });
  expect(does({ type: 'link.add', from: 'a', to: 'a' })).toEqual({ ok: false, error: { code: 'link.self', nodeIds: ['a'] } });
  expect(does({ type: 'link.add', from: 'a', to: 'c' })).toEqual({ ok: false, error: { code: 'link.duplicate' } });
  expect(does({ type: 'link.add', from: 'a', to: 'nowhere' })).toEqual({ ok: false, error: { code: 'link.targetMissing' } });
  expect(does({ type: 'link.add', from: 'nowhere', to: 'a' })).toEqual({ ok: false, error: { code: 'link.sourceMissing' } });
  expect(does({ type: 'link.add', from: 'c', to: 'a' })).toMatchObject({ ok: true });
});

test('R38.01 a card can be moved beyond the limits that hold for drops', () => {
  const { working, does } = editDocument();
  does({ type: 'node.move', moves: [{ id: 'a', x: 50_000, y: -50_000 }] });
  expect(working.node('a')).toMatchObject({ x: 50_000, y: -50_000 });
});

test('W4.12 the undo stack stays within its memory limit: the oldest steps go first and the newest stays', () => {
  const undo = new UndoStack(10);
  const change = (name: string, records: number) => ({
    patches: Array.from({ length: records }, () => ({ op: 'remove' as const, path: ['nodes', name] })),
    inverse: [],
  });
  undo.push(change('one', 6));
  undo.push(change('two', 6));
  expect(undo.undo()?.patches[0]?.path[1]).toBe('two');
  expect(undo.undo()).toBeNull();
  expect(undo.redo()?.patches[0]?.path[1]).toBe('two');
  undo.push(change('huge', 50));
  expect(undo.undo()?.patches[0]?.path[1]).toBe('huge');
});

test('R31.01 the differences of two documents turn one into the other, and are none between equal ones', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
      const { working, does } = editDocument();
      for (const one of commands) does(one);
      const start = new WorkingDocument(chainDocument());
      start.apply(
        documentDifferences(chainDocument(), working.document).map((patch) =>
          patch.op === 'remove'
            ? { op: 'remove', path: [patch.collection, patch.id] }
            : { op: 'replace', path: [patch.collection, patch.id], value: patch.value },
        ),
      );
      expect(start.document).toEqual(working.document);
      expect(documentDifferences(working.document, structuredClone(working.document))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('W4.12 a recipe that throws leaves the document as it was', () => {
  const { working } = editDocument();
  expect(() =>
    working.edit((edit) => {
      edit.removeNode('a');
      throw new Error('No');
    }),
  ).toThrow('No');
  expect(working.document).toEqual(chainDocument());
  expect([...working.linksOf('a')].sort()).toEqual(['conn-a-b', 'conn-d-a']);
});

test('R31.01 a card that no server would take is refused, so that it cannot keep the others from being saved', () => {
  const { working, does } = editDocument();
  const long = 'x'.repeat(4_001);
  expect(does({ type: 'node.update', id: 'd', changes: { goal: long } })).toEqual({ ok: false, error: { code: 'node.unfit' } });
  expect(does({ type: 'node.add', nodes: [dialogNode('n', 0, 0, { goal: long })] })).toEqual({ ok: false, error: { code: 'node.unfit' } });
  expect(working.document).toEqual(chainDocument());
});

test('W5.05 the settings of a link are changed field by field, removed with the last, and undone as one', () => {
  const { working, does } = editDocument();
  const id = 'conn-a-b';
  const before = working.document.connections[id];
  const change = (changes: Extract<EditCommand, { type: 'link.update' }>['changes']) => does({ type: 'link.update', id, changes });
  const labelled = change({ label: 'rework', maxRounds: 3 });
  expect(working.link(id)).toEqual({ ...before, run: { label: 'rework', maxRounds: 3 } });
  change({ label: undefined, atLimit: 'fail' });
  expect(working.link(id)?.run).toEqual({ maxRounds: 3, atLimit: 'fail' });
  expect(change({ maxRounds: 3 })).toMatchObject({ ok: true, value: { change: null } });
  expect(change({ maxRounds: 21 })).toMatchObject({ ok: false, error: { code: 'link.unfit' } });
  expect(does({ type: 'link.update', id: 'none', changes: {} })).toMatchObject({ ok: false, error: { code: 'link.unknown' } });
  change({ maxRounds: undefined, atLimit: undefined });
  expect(working.link(id)).toEqual(before);
  if (!labelled.ok || !labelled.value.change) throw new Error('The label is a change');
  working.apply(labelled.value.change.inverse);
  expect(working.link(id)).toEqual(before);
});

test('G2.02 the holds of several links change as one, are undone as one, and leave links for failures as they are', () => {
  const { working, does } = editDocument();
  const ids = Object.keys(working.document.connections);
  const before = structuredClone(working.document.connections);
  does({ type: 'link.update', id: ids[0] ?? '', changes: { onFailure: true } });
  const held = does({ type: 'links.hold', ids: [...ids, 'none'], hold: 'once' });
  expect(ids.map((id) => working.link(id)?.run)).toEqual([{ onFailure: true }, ...ids.slice(1).map(() => ({ hold: 'once' }))]);
  expect(does({ type: 'links.hold', ids, hold: 'once' })).toMatchObject({ ok: true, value: { change: null } });
  if (!held.ok || !held.value.change) throw new Error('The hold is a change');
  working.apply(held.value.change.inverse);
  expect(working.document.connections).toEqual({ ...before, [ids[0] ?? '']: { ...before[ids[0] ?? ''], run: { onFailure: true } } });
});

test('W5.05 an update that sets the same settings of a step is no change', () => {
  const { working, does } = editDocument();
  const set = () => does({ type: 'node.update', id: 'a', changes: { step: { firstWins: true } } });
  expect(set()).toMatchObject({ ok: true, value: { change: { patches: [expect.anything()] } } });
  expect(working.node('a')?.step).toEqual({ firstWins: true });
  expect(set()).toMatchObject({ ok: true, value: { change: null } });
});

/** No dangling link, self-link or duplicate pair; each record under its id, each coordinate finite, the index correct. */
function expectWhole(working: WorkingDocument): void {
  const { document } = working;
  expect(canvasDocument.safeParse(document).error).toBeUndefined();
  const pairs = Object.values(document.connections).map(({ from, to }) => `${from.agentId} ${to.agentId}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const [id, { from, to, ...rest }] of Object.entries(document.connections)) {
    expect(rest.id).toBe(id);
    expect(from.agentId).not.toBe(to.agentId);
    for (const end of [from, to]) expect(document.nodes[end.agentId]?.type).not.toMatch(/note|group/);
    expect(document.nodes).toHaveProperty([from.agentId]);
    expect(document.nodes).toHaveProperty([to.agentId]);
  }
  for (const [id, node] of Object.entries(document.nodes)) {
    expect(node.id).toBe(id);
    const linked = Object.values(document.connections).filter(({ from, to }) => from.agentId === id || to.agentId === id);
    expect([...working.linksOf(id)].sort()).toEqual(linked.map((one) => one.id).sort());
  }
}
