import { applyPatches, enablePatches, type Patch } from 'immer';
import { expect, test } from 'vitest';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { commitGesture } from '../../../../src/canvas/tools/commit-gesture.ts';
import type { DocumentCommand } from '../../../../src/model/commands.ts';
import { failed, type Outcome } from '../../../../src/model/problem.ts';
import { emptyWorkspace, type WorkspaceState } from '../../../../src/model/workspace-state.ts';
import type { WorkspaceStore } from '../../../../src/model/workspace-store.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

enablePatches();

const move: DocumentCommand = { type: 'node.move', moves: [{ id: 'a', x: 130, y: 100 }] };

/** An engine whose replies and patches a test sends. */
function scene() {
  let state: WorkspaceState = { ...emptyWorkspace, document: documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)]) };
  const listeners = new Set<Parameters<WorkspaceStore['subscribe']>[0]>();
  const store: WorkspaceStore = {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const post = (patches: Patch[]) => {
    state = applyPatches(state, patches);
    for (const listener of [...listeners]) listener(state, patches, { nodes: new Map(), connections: new Map() });
  };
  const { promise, resolve: answer } = Promise.withResolvers<Outcome<undefined>>();
  const view = new CanvasView();
  const preview = { nodeIds: new Set(['a']), dx: 30, dy: 0 };
  view.update({ drag: preview });
  /** Returns the drawn x of card a. */
  const drawn = () => (state.document.nodes.a?.x ?? Number.NaN) + (view.ephemeral.drag?.nodeIds.has('a') ? view.ephemeral.drag.dx : 0);
  commitGesture(move, { store, view, dispatch: () => promise });
  return { store, view, post, answer, drawn, preview, listeners };
}

test('W4.12 a card that was dragged stays where it was dropped while the document follows', async () => {
  const { post, answer, drawn, view, listeners } = scene();
  expect(drawn()).toBe(130);
  post([{ op: 'replace', path: ['document', 'nodes', 'a'], value: agentAt('a', 130, 100) }]);
  expect(drawn()).toBe(130);
  answer({ ok: true, value: undefined });
  await Promise.resolve();
  expect(drawn()).toBe(130);
  expect(view.ephemeral.drag).toBeNull();
  expect(listeners.size).toBe(0);
});

test('W4.12 changes of other cards do not end the preview', () => {
  const { post, drawn } = scene();
  post([{ op: 'replace', path: ['document', 'nodes', 'b'], value: agentAt('b', 600, 100) }]);
  expect(drawn()).toBe(130);
});

test('W4.02 a refused move puts the card back', async () => {
  const { answer, drawn } = scene();
  answer(failed('run.locked'));
  await Promise.resolve();
  expect(drawn()).toBe(100);
});

test('W4.12 the end of one drag does not end the preview of the next drag', () => {
  const { post, view } = scene();
  const next = { nodeIds: new Set(['b']), dx: 5, dy: 5 };
  view.update({ drag: next });
  post([{ op: 'replace', path: ['document', 'nodes', 'a'], value: agentAt('a', 130, 100) }]);
  expect(view.ephemeral.drag).toBe(next);
});
