import { enablePatches } from 'immer';
import { expect, test } from 'vitest';
import { emptyWorkspace, type WorkspaceState } from '../../../src/model/workspace-state.ts';
import { applyUpdate, Replica } from '../../../src/workers/bridge/replica.ts';
import { batchMs, Store } from '../../../src/workers/engine/store/store.ts';
import type { Update } from '../../../src/workers/protocol.ts';
import { chainDocument, dialogNode } from '../../support/engine/samples.ts';
import { VirtualClock } from '../../support/engine/virtual-clock.ts';

enablePatches();

function start() {
  const clock = new VirtualClock();
  const store = new Store({ ...emptyWorkspace, document: chainDocument() }, 'e1', clock.later);
  const updates: Update[] = [];
  store.connect((update) => updates.push(structuredClone(update)));
  return { clock, store, updates };
}

const say = (store: Store, message: string) =>
  store.update((draft) => {
    draft.failure = { code: message };
  });

test('W4.17 the first change goes at once, those that follow in one batch a frame', async () => {
  const { clock, store, updates } = start();
  say(store, 'one');
  expect(updates).toHaveLength(1);
  say(store, 'two');
  say(store, 'three');
  expect(updates).toHaveLength(1);
  await clock.pass(batchMs);
  expect(updates.map(({ seq, patches }) => [seq, patches.length])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  await clock.pass(10 * batchMs);
  say(store, 'four');
  expect(updates).toHaveLength(3);
});

test('R31.01 a replica that hears every update shows the engine’s state', async () => {
  const { clock, store, updates } = start();
  const replica = new Replica(emptyWorkspace, () => {
    throw new Error('No gap here');
  });
  replica.load(structuredClone(store.snapshot()));
  const changes = [
    store.working.edit((edit) => edit.removeNode('a')),
    store.working.edit((edit) => edit.setNode(dialogNode('n', 5, 5))),
    store.working.edit((edit) => edit.setNode(dialogNode('n', 6, 6))),
  ];
  for (const change of changes) if (change) store.documentChanged(change);
  say(store, 'done');
  await clock.pass(100);
  for (const update of updates) replica.apply(update);
  expect(replica.getState()).toEqual({ ...store.state, document: store.document });
});

test('R31.01 a document that replaces another wins over edits of the old one in the same batch', async () => {
  const { clock, store, updates } = start();
  const replica = new Replica(emptyWorkspace, () => {});
  replica.load(structuredClone(store.snapshot()));
  say(store, 'first, so that the rest is one batch');
  const change = store.working.edit((edit) => edit.setNode(dialogNode('n', 5, 5)));
  if (change) store.documentChanged(change);
  store.replaceDocument({ nodes: { z: dialogNode('z', 1, 1) }, connections: {} });
  const after = store.working.edit((edit) => edit.setNode(dialogNode('z', 2, 2)));
  if (after) store.documentChanged(after);
  await clock.pass(100);
  for (const update of updates) replica.apply(update);
  expect(replica.getState().document).toEqual({ nodes: { z: dialogNode('z', 2, 2) }, connections: {} });
});

test('R31.01 a gap in the numbers or another epoch asks for one snapshot, and updates that arrived meanwhile are applied to it', () => {
  let asked = 0;
  const replica = new Replica(emptyWorkspace, () => {
    asked += 1;
  });
  const heard: (readonly unknown[] | null)[] = [];
  replica.subscribe((_, patches) => heard.push(patches));
  replica.load({ epoch: 'e1', seq: 3, begun: 0, state: emptyWorkspace });
  const update = (epoch: string, seq: number, code: string): Update => ({
    epoch,
    seq,
    begun: 0,
    patches: [{ op: 'replace', path: ['failure'], value: { code } }],
  });
  replica.apply(update('e1', 3, 'old'));
  expect(replica.getState().failure).toBeNull();
  replica.apply(update('e1', 5, 'five'));
  replica.apply(update('e1', 6, 'six'));
  expect(asked).toBe(1);
  expect(replica.getState().failure).toBeNull();
  replica.load({ epoch: 'e1', seq: 5, begun: 0, state: { ...emptyWorkspace, failure: { code: 'five' } } });
  expect(replica.getState().failure).toEqual({ code: 'six' });
  replica.apply(update('e2', 1, 'another engine'));
  expect(asked).toBe(2);
  expect(heard.map((patches) => patches?.length ?? null)).toEqual([null, null, 1]);
});

test('R31.01 the page does not wait for messages of a dead engine when a new engine has replaced it', () => {
  let asked = 0;
  const replica = new Replica(emptyWorkspace, () => {
    asked += 1;
  });
  replica.load({ epoch: 'e1', seq: 1, begun: 0, state: emptyWorkspace });
  replica.apply({ epoch: 'e1', seq: 3, begun: 0, patches: [] });
  expect(asked).toBe(1);
  replica.expectSnapshot();
  replica.load({ epoch: 'e2', seq: 1, begun: 0, state: emptyWorkspace });
  expect(asked).toBe(1);
  replica.apply({ epoch: 'e2', seq: 2, begun: 0, patches: [{ op: 'replace', path: ['failure'], value: { code: 'two' } }] });
  expect(replica.getState().failure).toEqual({ code: 'two' });
});

test('R31.01 an update changes no record and no other part of the former state, and returns the replaced values', () => {
  const state: WorkspaceState = { ...emptyWorkspace, document: chainDocument() };
  const { a, b } = state.document.nodes;
  const before = structuredClone({ state, a });
  const { state: next, earlier } = applyUpdate(state, [
    { op: 'replace', path: ['document', 'nodes', 'a'], value: dialogNode('a', 1, 1) },
    { op: 'remove', path: ['document', 'connections', 'conn-d-a'] },
    { op: 'replace', path: ['status'], value: 'ready' },
  ]);
  expect({ ...state, document: null, a }).toEqual({ ...before.state, document: null, a: before.a });
  expect(next.document).not.toBe(state.document);
  expect([...earlier.nodes]).toEqual([['a', a]]);
  expect([...earlier.connections]).toEqual([['conn-d-a', chainDocument().connections['conn-d-a']]]);
  expect(next.status).toBe('ready');
  expect(next.document.nodes.a?.x).toBe(1);
  expect(next.document.nodes.b).toBe(b);
  expect(Object.keys(next.document.connections)).toEqual(['conn-a-b', 'conn-b-c']);
});

test('R31.01 a part of the state that is replaced whole is taken as it came, and later patches of the batch apply to it', () => {
  const run = { ...emptyWorkspace.run, phase: 'running' as const };
  const document = chainDocument();
  const { state: next } = applyUpdate(emptyWorkspace, [
    { op: 'replace', path: ['run', 'phase'], value: 'paused' },
    { op: 'replace', path: ['run'], value: run },
    { op: 'replace', path: ['run', 'outcome'], value: 'completed' },
    { op: 'replace', path: ['document'], value: document },
    { op: 'remove', path: ['document', 'connections', 'conn-d-a'] },
    { op: 'replace', path: ['status'], value: 'ready' },
  ]);
  expect(next).toMatchObject({ status: 'ready', run: { phase: 'running', outcome: 'completed' } });
  expect(Object.keys(next.document.connections)).toEqual(['conn-a-b', 'conn-b-c']);
  expect(Object.isFrozen(next.document.nodes)).toBe(false);
});

test('W4.17 changes that are made together are one update', () => {
  const { store, updates } = start();
  store.together(() => {
    store.replaceDocument({ nodes: {}, connections: {} });
    say(store, 'two');
  });
  expect(updates.map(({ patches }) => patches.length)).toEqual([2]);
});
