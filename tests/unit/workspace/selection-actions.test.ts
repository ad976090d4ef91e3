import { enablePatches } from 'immer';
import { expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { selectionActions } from '../../../src/app/workspace/actions/selection-actions.ts';
import { CanvasView } from '../../../src/canvas/canvas-view.ts';
import { foldedStore } from '../../../src/canvas/folding/folded-store.ts';
import { createFolder } from '../../../src/canvas/folding/folder.ts';
import type { Command } from '../../../src/model/commands.ts';
import { done } from '../../../src/model/problem.ts';
import { agentAt, documentOf, groupAt } from '../../support/canvas/canvas-driver.ts';
import { foldWords } from '../../support/canvas/fold-words.ts';
import { TestStore } from '../../support/canvas/test-store.ts';
import { editDocument } from '../../support/engine/edit-document.ts';

enablePatches();

function workspace(nodes: CanvasNode[], folded: string[]) {
  const store = new TestStore(documentOf(nodes, []));
  const view = new CanvasView();
  view.update({ folded: new Set(folded) });
  foldedStore(store, view).install(createFolder(store, view, foldWords));
  const dispatch = async (command: Command) => {
    if (command.type !== 'nodes.align') throw new Error(command.type);
    const { working, does } = editDocument(structuredClone(store.getState().document));
    does(command);
    store.change((draft) => {
      draft.document = working.document;
    });
    return done;
  };
  const actions = selectionActions({ store, view, dispatch, isEditable: () => true, show: () => {} });
  const xs = () => Object.values(store.getState().document.nodes).map(({ x }) => x);
  return { view, actions, xs };
}

test('D4.22 a folded group is aligned as the card that is shown, whatever of its contents is selected', async () => {
  const { view, actions, xs } = workspace([groupAt('g', 0, 400, 1_600, 240), agentAt('a', 40, 440), agentAt('b', 2_000, 0)], ['g']);
  view.update({ selectedNodes: new Set(['g', 'a', 'b']) });
  await actions.alignRight.run();
  expect(xs()).toEqual([2_000, 2_040, 2_000]);
  expect([...view.ephemeral.folded]).toEqual(['g']);
});

test('D4.22 a folded group opens whose frame a card is aligned into: the card stays in view', async () => {
  const { view, actions, xs } = workspace([groupAt('g', 0, 0, 1_600, 240), agentAt('b', 2_000, 40)], ['g']);
  view.update({ selectedNodes: new Set(['g', 'b']) });
  await actions.alignLeft.run();
  expect(xs()).toEqual([0, 0]);
  expect([...view.ephemeral.folded]).toEqual([]);
});
