import { produceWithPatches } from 'immer';
import { expect, test } from 'vitest';
import type { WorkspaceState } from '../../../../src/model/workspace-state.ts';
import { replayedStore } from '../../../../src/workers/bridge/replayed-store.ts';
import { Replica } from '../../../../src/workers/bridge/replica.ts';
import { Recording } from '../../../../src/workers/engine/replay/recording.ts';
import { showMoment } from '../../../../src/workers/engine/replay/show-moment.ts';
import type { Snapshot } from '../../../../src/workers/protocol.ts';
import { recordedRun } from '../../../support/engine/recorded-run.ts';

test('G7.01 the page shows the run of the moment as one run: its steps change with the moment, and only with it', () => {
  const { details, events } = recordedRun(6, 4);
  const recording = new Recording(details, null, events);
  const { added, ...first } = recording.momentAt(events.length);
  const replay = { status: 'ready', ...first, versions: added, lines: [], lineCount: 0, placeMs: 0, document: null };
  let state = { replay, document: { nodes: {}, connections: {} } } as unknown as WorkspaceState;
  const replica = new Replica(state, () => {});
  replica.load({ epoch: 'one', seq: 0, begun: 0, state: structuredClone(state) } as Snapshot);
  const store = replayedStore(replica);
  let told: string[] = [];
  store.subscribe((shown, patches) => {
    told = (patches ?? []).map(({ path }) => path.slice(0, 2).join('.'));
    for (const { path, value } of patches ?? []) if (path.join('.') === 'run.steps') expect(value).toBe(shown.run.steps);
  });
  let seq = 0;
  const change = (recipe: (draft: WorkspaceState) => void) => {
    const [next, patches] = produceWithPatches(state, recipe);
    state = next;
    seq += 1;
    replica.apply({ epoch: 'one', seq, begun: 0, patches: structuredClone(patches) });
  };
  for (const count of [10, 30, 3, events.length]) {
    const to = recording.momentAt(count);
    change((draft) => {
      if (draft.replay && state.replay) showMoment(draft.replay, state.replay, to);
    });
    const { steps, ...run } = store.getState().run;
    expect(steps).toEqual(recording.runAt(count).steps);
    expect(run).toEqual(to.run);
    expect(told).toContain('run.steps');
    expect(told.filter((path) => path === 'run.steps')).toHaveLength(1);
  }
  const { steps } = store.getState().run;
  change((draft) => {
    if (draft.replay) draft.replay.placeMs = 7;
  });
  expect(store.getState().run.steps).toBe(steps);
  expect(told).toEqual(['replay.placeMs']);
});

test('a replay shows the canvas that ran as a whole, keeps edits of the present one from it, and gives that one back', () => {
  const card = (id: string) => ({ id, type: 'agent', title: id, x: 0, y: 0 });
  const then = { nodes: { gone: card('gone') }, connections: {} };
  let state = { replay: null, run: {}, document: { nodes: { now: card('now') }, connections: {} } } as unknown as WorkspaceState;
  const replica = new Replica(state, () => {});
  replica.load({ epoch: 'one', seq: 0, begun: 0, state: structuredClone(state) } as Snapshot);
  const store = replayedStore(replica);
  let told: string[] = [];
  let earlierCards = 0;
  store.subscribe((_shown, patches, earlier) => {
    told = (patches ?? []).map(({ path }) => path.join('.')).filter((path) => path.startsWith('document'));
    earlierCards = earlier.nodes.size;
  });
  let seq = 0;
  const change = (recipe: (draft: WorkspaceState) => void) => {
    const [next, patches] = produceWithPatches(state, recipe);
    state = next;
    seq += 1;
    replica.apply({ epoch: 'one', seq, begun: 0, patches: structuredClone(patches) });
  };
  const cards = () => Object.keys(store.getState().document.nodes);
  const replay = { status: 'ready', run: {}, steps: [], versions: [], lines: [], lineCount: 0, placeMs: 0, document: then };
  change((draft) => void Object.assign(draft, { replay }));
  expect(cards()).toEqual(['gone']);
  expect(told).toEqual(['document']);
  change((draft) => void Object.assign(draft.document.nodes, { more: card('more') }));
  expect(cards()).toEqual(['gone']);
  expect(told).toEqual([]);
  change((draft) => void Object.assign(draft, { replay: null }));
  expect(cards()).toEqual(['now', 'more']);
  expect(told).toEqual(['document']);
  change((draft) => void Object.assign(draft.document.nodes, { now: card('now') }));
  expect(told).toEqual(['document.nodes.now']);
  expect(earlierCards).toBe(1);
});
