import { describe, expect, test } from 'vitest';
import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import { CanvasView } from '../../../../src/canvas/canvas-view.ts';
import { type KeyAction, keyAction } from '../../../../src/canvas/tools/key-action.ts';
import { keyStep } from '../../../../src/canvas/tools/key-step.ts';
import { agentAt, documentOf } from '../../../support/canvas/canvas-driver.ts';

const key = (name: string, code: string, held: Partial<{ ctrl: boolean; shift: boolean; alt: boolean; repeat: boolean }> = {}) =>
  keyAction({ key: name, code, ctrl: false, shift: false, alt: false, repeat: false, ...held });

const document = documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]);

function step(action: KeyAction, selected: { nodes?: string[]; links?: string[] } = {}, readOnly = false) {
  const view = new CanvasView();
  view.update({
    size: { width: 1_000, height: 800 },
    selectedNodes: new Set(selected.nodes ?? []),
    selectedLinks: new Set(selected.links ?? []),
  });
  return keyStep(action, {
    ephemeral: view.ephemeral,
    document,
    readOnly,
    bounds: () => ({ left: 100, top: 100, right: 780, bottom: 256 }),
  });
}

describe('the action of a key', () => {
  test('W4.12 undo and redo work with the same keys on a Russian keyboard', () => {
    expect(key('я', 'KeyZ', { ctrl: true })).toEqual({ kind: 'undo' });
    expect(key('Я', 'KeyZ', { ctrl: true, shift: true })).toEqual({ kind: 'redo' });
    expect(key('н', 'KeyY', { ctrl: true })).toEqual({ kind: 'redo' });
    expect(key('ф', 'KeyA', { ctrl: true })).toEqual({ kind: 'selectAll' });
  });

  test('W4.12 a shortcut follows the letter where a keyboard layout has it on another key', () => {
    expect(key('z', 'KeyW', { ctrl: true })).toEqual({ kind: 'undo' });
    expect(key('w', 'KeyZ', { ctrl: true })).toBeNull();
  });

  test('W2.05 plus zooms in, minus zooms out, zero zooms to 100 %, and Shift 1 shows the whole canvas', () => {
    expect(key('+', 'Equal', { shift: true })).toEqual({ kind: 'zoom', to: 'in' });
    expect(key('=', 'Equal')).toEqual({ kind: 'zoom', to: 'in' });
    expect(key('-', 'NumpadSubtract')).toEqual({ kind: 'zoom', to: 'out' });
    expect(key('0', 'Digit0')).toEqual({ kind: 'zoom', to: 'actual' });
    expect(key('!', 'Digit1', { shift: true })).toEqual({ kind: 'zoom', to: 'fit' });
  });

  test('W2.06 V selects and H takes the hand, on any layout', () => {
    expect(key('v', 'KeyV')).toEqual({ kind: 'mode', mode: 'select' });
    expect(key('м', 'KeyV')).toEqual({ kind: 'mode', mode: 'select' });
    expect(key('р', 'KeyH')).toEqual({ kind: 'mode', mode: 'hand' });
    expect(key('V', 'KeyV', { shift: true })).toBeNull();
    expect(key('v', 'KeyV', { ctrl: true })).toBeNull();
  });

  test('W2.05 Ctrl with plus or zero is left to the browser, and a letter without Ctrl does nothing', () => {
    expect(key('+', 'Equal', { ctrl: true })).toBeNull();
    expect(key('0', 'Digit0', { ctrl: true })).toBeNull();
    expect(key('я', 'KeyZ')).toBeNull();
    expect(key('ArrowLeft', 'ArrowLeft', { alt: true })).toBeNull();
  });
});

test('D2.04 Escape first closes the settings of a link, which may still be on their way', () => {
  const [id] = Object.keys(document.connections) as [string];
  const view = new CanvasView();
  const press = () => keyStep({ kind: 'cancel' }, { ephemeral: view.ephemeral, document, readOnly: false, bounds: () => null });
  view.update({ selectedLinks: new Set([id]), linkSettings: id });
  expect(press()).toEqual({ ephemeral: { linkSettings: null } });
  view.update({ linkSettings: null });
  expect(press()).toEqual({ ephemeral: { selectedNodes: new Set(), selectedLinks: new Set() } });
});

test('G2.02 H sets the hold of the selected links: off, always, once, off; without links it takes the hand', () => {
  const hand = { kind: 'mode', mode: 'hand' } as const;
  const [id] = Object.keys(document.connections) as [string];
  const pressed = (run: LinkSettings) => {
    const held = { ...document, connections: { [id]: { ...document.connections[id], run } as Connection } };
    const view = new CanvasView();
    view.update({ selectedLinks: new Set([id]) });
    return keyStep(hand, { ephemeral: view.ephemeral, document: held, readOnly: false, bounds: () => null });
  };
  expect(pressed({})).toEqual({ command: { type: 'links.hold', ids: [id], hold: 'always' } });
  expect(pressed({ hold: 'always' })).toEqual({ command: { type: 'links.hold', ids: [id], hold: 'once' } });
  expect(pressed({ hold: 'once' })).toEqual({ command: { type: 'links.hold', ids: [id], hold: undefined } });
  expect(pressed({ onFailure: true })).toEqual({});
  expect(step(hand, { links: [id] }, true)).toEqual({});
  expect(step(hand, { nodes: ['a'] })).toEqual({ ephemeral: { mode: 'hand' } });
});

test('W3.01 Alt, Shift and arrows move the edges of the only note or group selected, down to its least size', () => {
  expect(key('ArrowRight', 'ArrowRight', { alt: true, shift: true })).toEqual({ kind: 'resize', x: 1, y: 0, goesOn: false });
  expect(key('ArrowRight', 'ArrowRight', { alt: true, shift: true, ctrl: true })).toBeNull();
  const note: CanvasNode = { id: 'n', type: 'note', title: '', x: 0, y: 0, width: 90, height: 60 };
  const nodes = { n: note, a: agentAt('a', 400, 0) };
  const press = (x: -1 | 0 | 1, y: -1 | 0 | 1, chosen = ['n'], readOnly = false) => {
    const view = new CanvasView();
    view.update({ selectedNodes: new Set(chosen) });
    const context = { ephemeral: view.ephemeral, document: { nodes, connections: {} }, readOnly, bounds: () => null };
    return keyStep({ kind: 'resize', x, y, goesOn: true }, context).command;
  };
  expect(press(1, 0)).toEqual({ type: 'node.update', id: 'n', changes: { width: 110, height: 60 }, goesOn: true });
  expect(press(-1, 0)).toMatchObject({ changes: { width: 80 } });
  expect(press(0, -1)).toBeUndefined();
  expect(press(0, 1, ['a'])).toBeUndefined();
  expect(press(0, 1, ['a', 'n'])).toBeUndefined();
  expect(press(0, 1, ['n'], true)).toBeUndefined();
});

describe('the effect of a key', () => {
  test('W4.12 Delete removes what is selected in one command', () => {
    expect(step({ kind: 'remove' }, { nodes: ['a'], links: ['a-b'] }).command).toEqual({
      type: 'selection.remove',
      nodeIds: ['a'],
      connectionIds: ['a-b'],
    });
    expect(step({ kind: 'remove' })).toEqual({});
  });

  test('W4.12 arrows move the selected cards, and the view while none is selected', () => {
    expect(step({ kind: 'arrow', x: 1, y: 0, coarse: true, goesOn: false }, { nodes: ['a'] }).command).toEqual({
      type: 'node.move',
      moves: [{ id: 'a', x: 200, y: 100 }],
    });
    expect(step({ kind: 'arrow', x: 0, y: -1, coarse: false, goesOn: false }, { nodes: ['a', 'b'] }).command).toEqual({
      type: 'node.move',
      moves: [
        { id: 'a', x: 100, y: 80 },
        { id: 'b', x: 500, y: 80 },
      ],
    });
    expect(step({ kind: 'arrow', x: 0, y: 1, coarse: false, goesOn: false }).ephemeral?.camera).toEqual({ x: 0, y: -60, zoom: 1 });
  });

  test('W3.01 Ctrl D copies the selected cards a step of the grid aside', () => {
    expect(key('в', 'KeyD', { ctrl: true })).toEqual({ kind: 'duplicate' });
    expect(key('d', 'KeyD', { ctrl: true, repeat: true })).toBeNull();
    expect(step({ kind: 'duplicate' }, { nodes: ['a', 'b'] }).command).toEqual({
      type: 'nodes.duplicate',
      nodeIds: ['a', 'b'],
      dx: 20,
      dy: 20,
    });
    expect(step({ kind: 'duplicate' })).toEqual({});
  });

  test('W2.07 read-only, no key changes the document', () => {
    const keys: KeyAction[] = [
      { kind: 'duplicate' },
      { kind: 'remove' },
      { kind: 'undo' },
      { kind: 'redo' },
      { kind: 'arrow', x: 1, y: 0, coarse: false, goesOn: false },
    ];
    for (const action of keys) expect(step(action, { nodes: ['a'], links: ['a-b'] }, true).command).toBeUndefined();
  });

  test('W2.05 fit shows every card, select all selects every card, Escape clears the selection', () => {
    const camera = step({ kind: 'zoom', to: 'fit' }).ephemeral?.camera;
    expect(camera && 100 * camera.zoom + camera.x).toBeGreaterThan(0);
    expect(camera && 780 * camera.zoom + camera.x).toBeLessThan(1_000);
    expect(step({ kind: 'selectAll' }).ephemeral?.selectedNodes).toEqual(new Set(['a', 'b']));
    expect(step({ kind: 'cancel' }, { nodes: ['a'] }).ephemeral?.selectedNodes).toEqual(new Set());
  });
});
