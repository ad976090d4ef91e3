import { describe, expect, test } from 'vitest';
import { agentAt, CanvasDriver, documentOf } from '../../../support/canvas/canvas-driver.ts';

const two = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)]);
const empty = { x: 450, y: 600 };

describe('panning', () => {
  test('W2.06 a left drag on empty canvas pans by what the pointer moved', () => {
    const driver = new CanvasDriver(two()).drag(empty, { x: 480, y: 560 }).release({ x: 480, y: 560 });
    expect(driver.ephemeral.camera).toEqual({ x: 30, y: -40, zoom: 1 });
    expect(driver.commands).toEqual([]);
  });

  test('W2.06 the middle button pans, even on a card', () => {
    const driver = new CanvasDriver(two()).with({ button: 1 });
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 50, y: at.y });
    expect(driver.ephemeral.camera.x).toBe(50);
    expect(driver.ephemeral.drag).toBeNull();
  });

  test('W2.06 one finger on empty canvas pans', () => {
    const driver = new CanvasDriver(two()).with({ device: 'touch' }).drag(empty, { x: 450, y: 500 });
    expect(driver.ephemeral.camera.y).toBe(-100);
  });

  test('W2.06 the space bar makes the left button pan on a card', () => {
    const driver = new CanvasDriver(two()).with({ pans: true });
    const at = driver.on('a');
    driver.drag(at, { x: at.x - 20, y: at.y });
    expect(driver.ephemeral.camera.x).toBe(-20);
  });

  test('W2.06 the right button does nothing', () => {
    const driver = new CanvasDriver(two()).with({ button: 2 }).drag(empty, { x: 500, y: 500 });
    expect(driver.ephemeral.camera).toEqual({ x: 0, y: 0, zoom: 1 });
  });

  test('W2.06 two fingers zoom about their middle, and the remaining one still pans', () => {
    const driver = new CanvasDriver(two()).with({ device: 'touch' });
    driver.press({ x: 400, y: 600 }, 1).press({ x: 600, y: 600 }, 2);
    driver.move({ x: 350, y: 600 }, 1).move({ x: 650, y: 600 }, 2);
    expect(driver.ephemeral.camera.zoom).toBeCloseTo(1.5);
    expect((500 - driver.ephemeral.camera.x) / driver.ephemeral.camera.zoom).toBeCloseTo(500);
    const { x } = driver.release({ x: 650, y: 600 }, 2).ephemeral.camera;
    expect(driver.move({ x: 360, y: 600 }, 1).ephemeral.camera.x).toBeCloseTo(x + 10);
  });

  test('W2.06 a touch that pans or pinches on a card changes no selection; a touch without a move selects the card', () => {
    const phone = () => {
      const driver = new CanvasDriver(two()).with({ device: 'touch' });
      driver.editable = false;
      return driver.click(driver.on('b'));
    };
    const panned = phone();
    const at = panned.on('a');
    panned.drag(at, { x: at.x + 60, y: at.y }).release({ x: at.x + 60, y: at.y });
    expect(panned.ephemeral.camera.x).toBe(60);
    expect([...panned.ephemeral.selectedNodes]).toEqual(['b']);
    const pinched = phone();
    pinched.press(at, 1).press({ x: 900, y: 600 }, 2).move({ x: 950, y: 650 }, 2).release({ x: 950, y: 650 }, 2).release(at, 1);
    expect([...pinched.ephemeral.selectedNodes]).toEqual(['b']);
    const touched = phone();
    touched.click(touched.on('a'));
    expect([...touched.ephemeral.selectedNodes]).toEqual(['a']);
  });

  test('W4.12 a finger that moves a card selects it', () => {
    const driver = new CanvasDriver(two()).with({ device: 'touch' });
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 60, y: at.y });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['a']);
    expect(driver.ephemeral.drag?.nodeIds).toEqual(new Set(['a']));
  });

  test('W9.01 two fingers stop at the limits of the zoom', () => {
    const driver = new CanvasDriver(two()).with({ device: 'touch' });
    driver.press({ x: 400, y: 600 }, 1).press({ x: 410, y: 600 }, 2).move({ x: 900, y: 600 }, 2);
    expect(driver.ephemeral.camera.zoom).toBe(3);
    driver.move({ x: 401, y: 600 }, 2);
    expect(driver.ephemeral.camera.zoom).toBe(0.1);
  });
});

describe('moving cards', () => {
  test('W4.12 a drag moves the card by the distance on the screen divided by the zoom', () => {
    const driver = new CanvasDriver(two(), { x: 10, y: 20, zoom: 0.5 });
    const at = driver.on('a');
    const to = { x: at.x + 60, y: at.y - 30 };
    driver.drag(at, to);
    expect(driver.ephemeral.drag).toMatchObject({ dx: 120, dy: -60 });
    expect(driver.commands).toEqual([]);
    driver.release(to);
    expect(driver.commands).toEqual([{ type: 'node.move', moves: [{ id: 'a', x: 220, y: 40 }] }]);
  });

  test('W4.12 dragging one of several selected cards moves them all in one command', () => {
    const driver = new CanvasDriver(two());
    driver.click(driver.on('a')).with({ adds: true }).click(driver.on('b')).with({ adds: false });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['a', 'b']);
    const at = driver.on('b');
    driver.drag(at, { x: at.x + 40, y: at.y }).release({ x: at.x + 40, y: at.y });
    expect(driver.commands).toEqual([
      {
        type: 'node.move',
        moves: [
          { id: 'a', x: 140, y: 100 },
          { id: 'b', x: 540, y: 100 },
        ],
      },
    ]);
  });

  test('W4.12 a drag comes to lie level with a neighbour in reach, and shows the line while it lasts', () => {
    const driver = new CanvasDriver(two(), { x: 0, y: 0, zoom: 0.5 });
    const at = driver.on('a');
    // 6 px of the screen are 12 world px: after the drag the tops would be 10 apart, so they snap to the same y.
    driver.drag(at, { x: at.x - 30, y: at.y + 5 });
    expect(driver.ephemeral.drag).toMatchObject({ dx: -60, dy: 0 });
    expect(driver.ephemeral.guides.map(({ axis, at: place }) => [axis, place])).toEqual([
      ['y', 100],
      ['y', 256],
    ]);
    driver.release({ x: at.x - 30, y: at.y + 5 });
    expect(driver.ephemeral.guides).toEqual([]);
    expect(driver.commands).toEqual([{ type: 'node.move', moves: [{ id: 'a', x: 40, y: 100 }] }]);
  });

  test('W4.12 with Ctrl held a drag follows the pointer and does not snap', () => {
    const driver = new CanvasDriver(two());
    driver.view.update({ snaps: true });
    const at = driver.on('a');
    driver.with({ free: true }).drag(at, { x: at.x - 33, y: at.y + 3 });
    expect(driver.ephemeral).toMatchObject({ drag: { dx: -33, dy: 3 }, guides: [] });
  });

  test('W4.12 with the setting on cards snap to the grid, all by the same offset as the dragged one', () => {
    const driver = new CanvasDriver(documentOf([agentAt('a', 100, 100), agentAt('b', 507, 409)]));
    driver.view.update({ snaps: true, selectedNodes: new Set(['a', 'b']) });
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 33, y: at.y + 28 }).release({ x: at.x + 33, y: at.y + 28 });
    expect(driver.commands).toEqual([
      {
        type: 'node.move',
        moves: [
          { id: 'a', x: 140, y: 120 },
          { id: 'b', x: 547, y: 429 },
        ],
      },
    ]);
  });

  test('W4.12 with Alt held copies are dragged, and the cards stay; without it before the end they move after all', () => {
    const driver = new CanvasDriver(two());
    const at = driver.on('a');
    const to = { x: at.x + 40, y: at.y + 300 };
    driver.with({ copies: true }).drag(at, to);
    expect(driver.ephemeral.drag).toMatchObject({ dx: 40, dy: 300, copies: true });
    driver.release(to);
    expect(driver.commands).toEqual([{ type: 'nodes.duplicate', nodeIds: ['a'], dx: 40, dy: 300 }]);
    driver
      .drag(at, to)
      .with({ copies: false })
      .move({ x: to.x + 1, y: to.y })
      .release(to);
    expect(driver.commands[1]).toMatchObject({ type: 'node.move' });
  });

  test('W4.12 Escape and a lost pointer end a drag, and no card moves', () => {
    for (const end of ['escape', 'lose'] as const) {
      const driver = new CanvasDriver(two());
      const at = driver.on('a');
      driver.drag(at, { x: at.x + 80, y: at.y });
      driver[end]();
      driver.release({ x: at.x + 80, y: at.y });
      expect(driver.ephemeral.drag).toBeNull();
      expect(driver.commands).toEqual([]);
    }
  });

  test('W4.12 a press that moves by two pixels is a click: it selects the card and sends no command', () => {
    const driver = new CanvasDriver(two());
    const at = driver.on('a');
    driver
      .press(at)
      .move({ x: at.x + 2, y: at.y + 1 })
      .release({ x: at.x + 2, y: at.y + 1 });
    expect(driver.commands).toEqual([]);
    expect([...driver.ephemeral.selectedNodes]).toEqual(['a']);
  });

  test('W4.12 a click on empty canvas clears the selection', () => {
    const driver = new CanvasDriver(two());
    driver.click(driver.on('a')).click(empty);
    expect(driver.ephemeral.selectedNodes.size).toBe(0);
  });

  test('W4.02 while a run holds the document a drag on a card pans instead', () => {
    const driver = new CanvasDriver(two());
    driver.editable = false;
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 50, y: at.y }).release({ x: at.x + 50, y: at.y });
    expect(driver.ephemeral.camera.x).toBe(50);
    expect(driver.commands).toEqual([]);
  });

  test('W4.02 a run that starts during a drag ends the drag, and no card moves', () => {
    const driver = new CanvasDriver(two());
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 50, y: at.y });
    driver.editable = false;
    driver.release({ x: at.x + 50, y: at.y });
    expect(driver.ephemeral.drag).toBeNull();
    expect(driver.commands).toEqual([]);
  });
});
