import { describe, expect, test } from 'vitest';
import { removableLink } from '../../../../src/canvas/overlay/links/removable-link.ts';
import { agentAt, CanvasDriver, documentOf } from '../../../support/canvas/canvas-driver.ts';

const two = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)]);
const empty = { x: 450, y: 600 };

describe('drawing links', () => {
  test('W4.11 a link is made when a drag is released over an in port of another card', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('a', 'out'), driver.port('b', 'in'));
    expect(driver.ephemeral.linkDraft).toMatchObject({ from: 'a', over: 'b' });
    driver.release(driver.port('b', 'in'));
    expect(driver.commands).toEqual([{ type: 'link.add', from: 'a', to: 'b' }]);
  });

  test('D2.01 W4.11 a link is made when a drag is released anywhere on another card, or near its port at any zoom', () => {
    for (const zoom of [0.2, 1, 2]) {
      const driver = new CanvasDriver(two(), { x: 0, y: 0, zoom });
      const near = driver.port('b', 'in');
      const places = [driver.on('b'), driver.port('b', 'out'), { x: near.x - 23, y: near.y }];
      for (const to of places) {
        const from = { ...driver.port('a', 'out') };
        driver.view.update({ linkDraft: null });
        driver.tool = { kind: 'link', pointerId: 1, device: 'mouse', at: from, from: 'a' };
        driver.move(to);
        expect(driver.ephemeral.linkDraft?.over).toBe('b');
        driver.release(to);
      }
      expect(driver.commands).toEqual(places.map(() => ({ type: 'link.add', from: 'a', to: 'b' })));
    }
  });

  test('D2.01 W4.11 a link released on an empty place opens the menu of possible targets; a link released on its own card is dropped', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('a', 'out'), empty).release(empty);
    expect(driver.drops).toEqual([{ from: 'a', at: empty }]);
    expect(driver.ephemeral.linkDraft).toMatchObject({ from: 'a', over: null });
    driver.drag(driver.port('a', 'out'), driver.on('a')).release(driver.on('a'));
    // A click on a port is no drawing.
    driver.click(driver.port('a', 'out'));
    expect(driver.ephemeral.linkDraft).toBeNull();
    expect([driver.drops.length, driver.commands]).toEqual([1, []]);
  });

  test('D2.03 an end of a link is drawn to another card: from its in port, or by a drag of the selected link', () => {
    const nodes = [agentAt('a', 100, 100), agentAt('b', 500, 100), agentAt('c', 500, 500)];
    const driver = new CanvasDriver(documentOf(nodes, [['a', 'b']]));
    driver.drag(driver.port('b', 'in'), driver.on('c')).release(driver.on('c'));
    expect(driver.commands).toEqual([{ type: 'link.end', id: 'a-b', end: 'to', nodeId: 'c' }]);

    const nearStart = { x: 400, y: 178 };
    driver.click(nearStart).drag(nearStart, driver.on('c'));
    expect(driver.ephemeral.linkDraft).toMatchObject({ from: 'b', over: 'c', isBackwards: true });
    driver.release(driver.on('c'));
    expect(driver.commands.at(-1)).toEqual({ type: 'link.end', id: 'a-b', end: 'from', nodeId: 'c' });

    // On its own card or an empty place it stays as it was.
    for (const to of [driver.on('b'), empty]) driver.drag(driver.port('b', 'in'), to).release(to);
    expect([driver.commands.length, driver.drops.length, driver.ephemeral.linkDraft]).toEqual([2, 0, null]);
  });

  test('D2.02 a card without links that is dropped on a link is put between its cards', () => {
    const nodes = [agentAt('a', 0, 100), agentAt('b', 700, 100), agentAt('c', 300, 500), agentAt('d', 700, 500)];
    const driver = new CanvasDriver(documentOf(nodes, [['a', 'b']]));
    const from = driver.on('c');
    const middle = { x: 490, y: 186 };
    driver.drag(from, middle);
    expect(driver.ephemeral.hover).toEqual({ kind: 'link', id: 'a-b' });
    driver.release(middle);
    expect(driver.commands).toEqual([{ type: 'node.insert', id: 'c', linkId: 'a-b', x: 350, y: 108 }]);
    expect(driver.ephemeral.hover).toBeNull();
    driver.drag(driver.on('a'), { x: 490, y: 186 }).release({ x: 490, y: 186 });
    expect(driver.commands.at(-1)?.type).toBe('node.move');
  });

  test('W4.11 a drag from an in port without a link draws no link and moves no card', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('b', 'in'), driver.port('a', 'out')).release(driver.port('a', 'out'));
    expect(driver.ephemeral.linkDraft).toBeNull();
    expect(driver.ephemeral.drag).toBeNull();
    expect(driver.commands).toEqual([]);
  });

  test('W4.11 a link released on its own card highlights no port, and is sent to the engine, which refuses it', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('a', 'out'), driver.port('a', 'in'));
    expect(driver.ephemeral.linkDraft?.over).toBeNull();
    driver.release(driver.port('a', 'in'));
    expect(driver.commands).toEqual([{ type: 'link.add', from: 'a', to: 'a' }]);
  });

  test('W4.11 Escape drops a link that is being drawn', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('a', 'out'), driver.port('b', 'in')).escape().release(driver.port('b', 'in'));
    expect(driver.ephemeral.linkDraft).toBeNull();
    expect(driver.commands).toEqual([]);
  });

  test('W4.02 while a run holds the document no link starts', () => {
    const driver = new CanvasDriver(two());
    driver.editable = false;
    driver.press(driver.port('a', 'out'));
    expect(driver.ephemeral.linkDraft).toBeNull();
    expect(driver.tool.kind).toBe('press');
  });

  test('W2.07 where nothing can be edited a finger on a port or a card pans', () => {
    const driver = new CanvasDriver(two()).with({ device: 'touch' });
    driver.editable = false;
    const at = driver.port('a', 'out');
    driver.drag(at, { x: at.x, y: at.y + 70 }).release({ x: at.x, y: at.y + 70 });
    expect(driver.ephemeral.camera.y).toBe(70);
    expect(driver.commands).toEqual([]);
  });
});

describe('links under the pointer', () => {
  test('W2.08 a link is hovered while the pointer is on it', () => {
    const driver = new CanvasDriver(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    driver.move({ x: 440, y: 179 });
    expect(driver.ephemeral.hover).toEqual({ kind: 'link', id: 'a-b' });
    driver.move(empty);
    expect(driver.ephemeral.hover).toBeNull();
  });

  test('W2.08 a click on a link selects it alone', () => {
    const driver = new CanvasDriver(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    driver.click(driver.on('a')).click({ x: 440, y: 178 });
    expect([...driver.ephemeral.selectedLinks]).toEqual(['a-b']);
    expect(driver.ephemeral.selectedNodes.size).toBe(0);
  });

  test('W2.08 the link that is hovered, else the only one selected, shows its button', () => {
    const driver = new CanvasDriver(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    expect(removableLink(driver.ephemeral, false)).toBeNull();
    driver.move({ x: 440, y: 178 });
    expect(removableLink(driver.ephemeral, false)).toBe('a-b');
    driver.click({ x: 440, y: 178 }).move(empty);
    expect(removableLink(driver.ephemeral, false)).toBe('a-b');
    driver.with({ adds: true }).click(driver.on('a'));
    expect(removableLink(driver.ephemeral, false)).toBeNull();
  });

  test('W4.02 while a run holds the document no link shows its button', () => {
    const driver = new CanvasDriver(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    driver.click({ x: 440, y: 178 }).move({ x: 441, y: 178 });
    expect(removableLink(driver.ephemeral, true)).toBeNull();
  });
});
