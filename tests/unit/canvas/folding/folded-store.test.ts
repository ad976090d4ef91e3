import { enablePatches } from 'immer';
import { expect, test } from 'vitest';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { foldedStore } from '../../../../src/canvas/folding/folded-store.ts';
import { createFolder } from '../../../../src/canvas/folding/folder.ts';
import { agentAt, documentOf, groupAt } from '../../../support/canvas/canvas-driver.ts';
import { foldWords } from '../../../support/canvas/fold-words.ts';
import { TestStore } from '../../../support/canvas/test-store.ts';

enablePatches();

function workspace(folded: string[] = []) {
  const store = new TestStore(
    documentOf([groupAt('g', 0, 0, 760, 240), agentAt('a', 40, 40), agentAt('x', -400, 0), agentAt('y', 2_000, 0)], [['x', 'a']]),
  );
  const view = new CanvasView();
  view.update({ folded: new Set(folded) });
  const shown = foldedStore(store, view);
  shown.install(createFolder(store, view, foldWords));
  const events: { paths: string[] | null; earlier: string[] }[] = [];
  shown.subscribe((_state, patches, earlier) =>
    events.push({ paths: patches?.map(({ path }) => path.slice(0, 3).join('/')) ?? null, earlier: [...earlier.nodes.keys()] }),
  );
  return { store, view, shown, events };
}

test('D4.30 without a folded group the canvas gets the document itself', () => {
  const { store, shown, events } = workspace();
  expect(shown.getState()).toBe(store.getState());
  store.change((draft) => {
    if (draft.document.nodes.a) draft.document.nodes.a.x = 60;
  });
  expect(shown.getState()).toBe(store.getState());
  expect(events).toEqual([{ paths: ['document/nodes/a'], earlier: ['a'] }]);
});

test('D4.32 folding does not change the document, and gives the canvas a folded one to draw', () => {
  const { store, view, shown, events } = workspace();
  const before = store.getState();
  view.update({ folded: new Set(['g']) });
  expect(Object.keys(shown.getState().document.nodes).sort()).toEqual(['g', 'x', 'y']);
  expect(store.getState()).toBe(before);
  expect(events).toEqual([{ paths: ['document'], earlier: [] }]);
  view.update({ folded: new Set() });
  expect(shown.getState()).toBe(before);
});

test('D4.30 a change of a hidden card tells the canvas nothing; a card that comes into the group goes, and the folded card counts it', () => {
  const { store, shown, events } = workspace(['g']);
  store.change((draft) => {
    if (draft.document.nodes.a) draft.document.nodes.a.description = 'other';
  });
  expect(events).toEqual([{ paths: [], earlier: [] }]);
  const before = shown.getState().document;
  store.change((draft) => {
    if (draft.document.nodes.y) draft.document.nodes.y.x = 440;
  });
  expect(events[1]?.paths?.sort()).toEqual(['document/nodes/g', 'document/nodes/y']);
  expect(shown.getState().document).not.toBe(before);
  expect(shown.getState().document.nodes).toMatchObject({ g: { folded: { count: 2 } } });
  expect(shown.getState().document.nodes.y).toBeUndefined();
});

test('D4.30 a folded card names its first cards, and tells the canvas of a new title of one', () => {
  const { store, shown, events } = workspace(['g']);
  store.change((draft) => {
    if (draft.document.nodes.a) draft.document.nodes.a.title = 'Translator';
  });
  expect(events).toEqual([{ paths: ['document/nodes/g'], earlier: ['g'] }]);
  expect(shown.getState().document.nodes).toMatchObject({ g: { folded: { names: 'Translator' } } });
});

test('D4.32 a folded group that is removed and comes back with an undo is folded again', () => {
  const { store, shown, events } = workspace(['g']);
  const group = store.getState().document.nodes.g;
  store.change((draft) => {
    delete draft.document.nodes.g;
  });
  expect(Object.keys(shown.getState().document.nodes).sort()).toEqual(['a', 'x', 'y']);
  store.change((draft) => {
    if (group) draft.document.nodes.g = group;
  });
  expect(Object.keys(shown.getState().document.nodes).sort()).toEqual(['g', 'x', 'y']);
  expect(events.map(({ paths }) => paths)).toEqual([['document'], ['document']]);
});

test('D4.30 a view gets the same folded store at every call', () => {
  const { store, view, shown } = workspace();
  expect(foldedStore(store, view)).toBe(shown);
});

test('D4.30 the code that shows folded groups loads after the first fold: until then all groups are open', () => {
  const store = new TestStore(documentOf([groupAt('g', 0, 0, 760, 240), agentAt('a', 40, 40)]));
  const view = new CanvasView();
  view.update({ folded: new Set(['g']), selectedNodes: new Set(['a']) });
  const shown = foldedStore(store, view);
  expect([shown.folding, Object.keys(shown.getState().document.nodes)]).toEqual([null, ['g', 'a']]);
  shown.install(createFolder(store, view, foldWords));
  expect(Object.keys(shown.getState().document.nodes)).toEqual(['g']);
  expect([...view.ephemeral.selectedNodes]).toEqual(['g']);
});

test('D4.30 a selected card that goes into a folded group is selected no longer: no key changes what is not seen', () => {
  const { store, view } = workspace(['g']);
  view.update({ selectedNodes: new Set(['x', 'y']) });
  store.change((draft) => {
    if (draft.document.nodes.y) Object.assign(draft.document.nodes.y, { x: 60, y: 60 });
  });
  expect([...view.ephemeral.selectedNodes]).toEqual(['x']);
});
