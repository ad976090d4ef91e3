import { expect, test } from 'vitest';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { pruneSelection } from '../../../../src/canvas/tools/prune-selection.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

const before = () => {
  const view = new CanvasView();
  view.update({ selectedNodes: new Set(['a', 'b']), selectedLinks: new Set(['a-b']), hover: { kind: 'port', id: 'a', port: 'out' } });
  return view.ephemeral;
};

test('W4.12 a deleted card and its link are removed from the selection', () => {
  const left = documentOf([agentAt('b', 0, 0)]);
  const patches = [{ op: 'remove' as const, path: ['document', 'nodes', 'a'] }];
  expect(pruneSelection(before(), left, patches)).toEqual({ selectedNodes: new Set(['b']), selectedLinks: new Set(), hover: null });
});

test('W4.12 a replaced document keeps the selection of the cards and links that it still has', () => {
  const same = documentOf([agentAt('a', 0, 0), agentAt('b', 0, 0)], [['a', 'b']]);
  expect(pruneSelection(before(), same, null)).toBeNull();
});
