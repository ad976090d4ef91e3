import { describe, expect, test } from 'vitest';
import { removableLink } from '../../../src/canvas/overlay/links/removable-link.ts';
import { agentAt, CanvasDriver, documentOf } from '../../support/canvas-driver.ts';

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

  test('W4.12 with Ctrl held a drag goes where the pointer goes', () => {
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

  test('W4.12 Escape and a lost pointer end a drag without trace', () => {
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

  test('W4.12 a press that hardly moves is a click, and sends nothing', () => {
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

  test('W4.02 a run that starts during a drag ends it without trace', () => {
    const driver = new CanvasDriver(two());
    const at = driver.on('a');
    driver.drag(at, { x: at.x + 50, y: at.y });
    driver.editable = false;
    driver.release({ x: at.x + 50, y: at.y });
    expect(driver.ephemeral.drag).toBeNull();
    expect(driver.commands).toEqual([]);
  });
});

describe('the marquee that selects', () => {
  const three = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100), agentAt('c', 500, 400)]);

  test('W2.06 a drag with Shift on empty canvas selects what the marquee touches, from any corner, and the view stays', () => {
    for (const [from, to] of [
      [
        { x: 450, y: 60 },
        { x: 520, y: 420 },
      ],
      [
        { x: 800, y: 580 },
        { x: 520, y: 150 },
      ],
    ] as const) {
      const driver = new CanvasDriver(three()).with({ adds: true }).drag(from, to);
      expect([...driver.ephemeral.selectedNodes].sort()).toEqual(['b', 'c']);
      expect(driver.ephemeral.marquee).toEqual({ from, to });
      driver.release(to);
      expect(driver.ephemeral).toMatchObject({ marquee: null, camera: { x: 0, y: 0, zoom: 1 } });
      expect(driver.commands).toEqual([]);
    }
  });

  test('W2.06 a marquee that shrinks gives back what it no longer touches, and keeps what was selected before', () => {
    const driver = new CanvasDriver(three());
    driver.click(driver.on('a')).with({ adds: true });
    driver.press({ x: 450, y: 60 }).move({ x: 600, y: 600 });
    expect([...driver.ephemeral.selectedNodes].sort()).toEqual(['a', 'b', 'c']);
    driver.move({ x: 600, y: 300 });
    expect([...driver.ephemeral.selectedNodes].sort()).toEqual(['a', 'b']);
  });

  test('W2.06 Escape, a lost pointer and a second finger bring back what was selected before the marquee', () => {
    for (const end of [(driver: CanvasDriver) => driver.escape(), (driver: CanvasDriver) => driver.lose()]) {
      const driver = new CanvasDriver(three());
      driver.click(driver.on('a')).with({ adds: true }).drag({ x: 450, y: 60 }, { x: 520, y: 420 });
      end(driver);
      expect(driver.ephemeral.marquee).toBeNull();
      expect([...driver.ephemeral.selectedNodes]).toEqual(['a']);
    }
    const driver = new CanvasDriver(three()).with({ device: 'touch' });
    driver.view.update({ mode: 'select', selectedNodes: new Set(['c']) });
    driver.press({ x: 450, y: 60 }).move({ x: 560, y: 180 });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['b']);
    driver.press({ x: 700, y: 600 }, 2);
    expect(driver.tool.kind).toBe('pinch');
    expect(driver.ephemeral.marquee).toBeNull();
    expect([...driver.ephemeral.selectedNodes]).toEqual(['c']);
  });

  test('W2.06 in the selecting mode a plain drag draws the marquee and takes the place of the selection; the space bar still pans', () => {
    const driver = new CanvasDriver(three());
    driver.view.update({ mode: 'select', selectedNodes: new Set(['a']) });
    driver.drag({ x: 450, y: 60 }, { x: 520, y: 180 }).release({ x: 520, y: 180 });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['b']);
    driver.with({ pans: true }).drag(empty, { x: 460, y: 640 });
    expect(driver.ephemeral.camera).toEqual({ x: 10, y: 40, zoom: 1 });
  });

  test('W2.06 the marquee is drawn at the zoom in view', () => {
    const driver = new CanvasDriver(three(), { x: 50, y: 20, zoom: 0.5 }).with({ adds: true });
    driver.drag({ x: 40, y: 10 }, { x: 101, y: 71 });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['a']);
    expect(driver.ephemeral.marquee?.to).toEqual({ x: 102, y: 102 });
  });

  test('W2.07 the mobile layout has no marquee', () => {
    const driver = new CanvasDriver(three()).with({ device: 'touch' });
    driver.canSelectByMarquee = false;
    driver.view.update({ mode: 'select' });
    driver.drag(empty, { x: 450, y: 500 });
    expect(driver.ephemeral.marquee).toBeNull();
    expect(driver.ephemeral.camera.y).toBe(-100);
  });

  test('W4.02 while a run holds the document cards can be selected by the marquee', () => {
    const driver = new CanvasDriver(three()).with({ adds: true });
    driver.editable = false;
    driver.drag({ x: 450, y: 60 }, { x: 520, y: 180 });
    expect([...driver.ephemeral.selectedNodes]).toEqual(['b']);
  });
});

describe('drawing links', () => {
  test('W4.11 released over an in port of another card, a link is made', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('a', 'out'), driver.port('b', 'in'));
    expect(driver.ephemeral.linkDraft).toMatchObject({ from: 'a', over: 'b' });
    driver.release(driver.port('b', 'in'));
    expect(driver.commands).toEqual([{ type: 'link.add', from: 'a', to: 'b' }]);
  });

  test('W4.11 released elsewhere, the link is dropped', () => {
    const document = two();
    const driver = new CanvasDriver(document);
    for (const to of [empty, driver.on('b'), driver.port('b', 'out')]) {
      driver.drag(driver.port('a', 'out'), to).release(to);
      expect(driver.ephemeral.linkDraft).toBeNull();
    }
    expect(driver.commands).toEqual([]);
  });

  test('W4.11 an in port starts no link and moves nothing', () => {
    const driver = new CanvasDriver(two());
    driver.drag(driver.port('b', 'in'), driver.port('a', 'out')).release(driver.port('a', 'out'));
    expect(driver.ephemeral.linkDraft).toBeNull();
    expect(driver.ephemeral.drag).toBeNull();
    expect(driver.commands).toEqual([]);
  });

  test('W4.11 a link cannot end on its own card: no port answers, and the engine is left to say why', () => {
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
  test('W2.08 the pointer on a link hovers it, and leaving it ends that', () => {
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
