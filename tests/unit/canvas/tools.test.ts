import { describe, expect, test } from 'vitest';
import { removableLink } from '../../../src/canvas/overlay/removable-link.ts';
import { agentAt, CanvasHand, documentOf } from '../../support/canvas-hand.ts';

const two = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)]);
const empty = { x: 450, y: 600 };

describe('panning', () => {
  test('W2.06 a left drag on empty canvas pans by what the pointer moved', () => {
    const hand = new CanvasHand(two()).drag(empty, { x: 480, y: 560 }).release({ x: 480, y: 560 });
    expect(hand.moment.camera).toEqual({ x: 30, y: -40, zoom: 1 });
    expect(hand.commands).toEqual([]);
  });

  test('W2.06 the middle button pans, even on a card', () => {
    const hand = new CanvasHand(two()).with({ button: 1 });
    const at = hand.on('a');
    hand.drag(at, { x: at.x + 50, y: at.y });
    expect(hand.moment.camera.x).toBe(50);
    expect(hand.moment.drag).toBeNull();
  });

  test('W2.06 one finger on empty canvas pans', () => {
    const hand = new CanvasHand(two()).with({ device: 'touch' }).drag(empty, { x: 450, y: 500 });
    expect(hand.moment.camera.y).toBe(-100);
  });

  test('W2.06 the space bar makes the left button pan on a card', () => {
    const hand = new CanvasHand(two()).with({ pans: true });
    const at = hand.on('a');
    hand.drag(at, { x: at.x - 20, y: at.y });
    expect(hand.moment.camera.x).toBe(-20);
  });

  test('W2.06 the right button does nothing', () => {
    const hand = new CanvasHand(two()).with({ button: 2 }).drag(empty, { x: 500, y: 500 });
    expect(hand.moment.camera).toEqual({ x: 0, y: 0, zoom: 1 });
  });

  test('W2.06 two fingers zoom about their middle, and the one that stays goes on panning', () => {
    const hand = new CanvasHand(two()).with({ device: 'touch' });
    hand.press({ x: 400, y: 600 }, 1).press({ x: 600, y: 600 }, 2);
    hand.move({ x: 350, y: 600 }, 1).move({ x: 650, y: 600 }, 2);
    expect(hand.moment.camera.zoom).toBeCloseTo(1.5);
    expect((500 - hand.moment.camera.x) / hand.moment.camera.zoom).toBeCloseTo(500);
    const { x } = hand.release({ x: 650, y: 600 }, 2).moment.camera;
    expect(hand.move({ x: 360, y: 600 }, 1).moment.camera.x).toBeCloseTo(x + 10);
  });

  test('W9.01 two fingers stop at the limits of the zoom', () => {
    const hand = new CanvasHand(two()).with({ device: 'touch' });
    hand.press({ x: 400, y: 600 }, 1).press({ x: 410, y: 600 }, 2).move({ x: 900, y: 600 }, 2);
    expect(hand.moment.camera.zoom).toBe(3);
    hand.move({ x: 401, y: 600 }, 2);
    expect(hand.moment.camera.zoom).toBe(0.1);
  });
});

describe('moving cards', () => {
  test('W4.12 a drag moves the card by the distance on the screen divided by the zoom', () => {
    const hand = new CanvasHand(two(), { x: 10, y: 20, zoom: 0.5 });
    const at = hand.on('a');
    const to = { x: at.x + 60, y: at.y - 30 };
    hand.drag(at, to);
    expect(hand.moment.drag).toMatchObject({ dx: 120, dy: -60 });
    expect(hand.commands).toEqual([]);
    hand.release(to);
    expect(hand.commands).toEqual([{ type: 'node.move', moves: [{ id: 'a', x: 220, y: 40 }] }]);
  });

  test('W4.12 dragging one of several selected cards moves them all in one command', () => {
    const hand = new CanvasHand(two());
    hand.click(hand.on('a')).with({ adds: true }).click(hand.on('b')).with({ adds: false });
    expect([...hand.moment.selectedNodes]).toEqual(['a', 'b']);
    const at = hand.on('b');
    hand.drag(at, { x: at.x + 40, y: at.y }).release({ x: at.x + 40, y: at.y });
    expect(hand.commands).toEqual([
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
    const hand = new CanvasHand(two(), { x: 0, y: 0, zoom: 0.5 });
    const at = hand.on('a');
    // 6 px of the screen reach 12 of the world: the tops are level 10 below, and the drag brings them together.
    hand.drag(at, { x: at.x - 30, y: at.y + 5 });
    expect(hand.moment.drag).toMatchObject({ dx: -60, dy: 0 });
    expect(hand.moment.guides.map(({ axis, at: place }) => [axis, place])).toEqual([
      ['y', 100],
      ['y', 256],
    ]);
    hand.release({ x: at.x - 30, y: at.y + 5 });
    expect(hand.moment.guides).toEqual([]);
    expect(hand.commands).toEqual([{ type: 'node.move', moves: [{ id: 'a', x: 40, y: 100 }] }]);
  });

  test('W4.12 with Ctrl held a drag goes where the pointer goes', () => {
    const hand = new CanvasHand(two());
    hand.view.update({ snaps: true });
    const at = hand.on('a');
    hand.with({ free: true }).drag(at, { x: at.x - 33, y: at.y + 3 });
    expect(hand.moment).toMatchObject({ drag: { dx: -33, dy: 3 }, guides: [] });
  });

  test('W4.12 with the setting on cards come to lie on the grid, all by as much as the one in the hand', () => {
    const hand = new CanvasHand(documentOf([agentAt('a', 100, 100), agentAt('b', 507, 409)]));
    hand.view.update({ snaps: true, selectedNodes: new Set(['a', 'b']) });
    const at = hand.on('a');
    hand.drag(at, { x: at.x + 33, y: at.y + 28 }).release({ x: at.x + 33, y: at.y + 28 });
    expect(hand.commands).toEqual([
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
    const hand = new CanvasHand(two());
    const at = hand.on('a');
    const to = { x: at.x + 40, y: at.y + 300 };
    hand.with({ copies: true }).drag(at, to);
    expect(hand.moment.drag).toMatchObject({ dx: 40, dy: 300, copies: true });
    hand.release(to);
    expect(hand.commands).toEqual([{ type: 'nodes.duplicate', nodeIds: ['a'], dx: 40, dy: 300 }]);
    hand
      .drag(at, to)
      .with({ copies: false })
      .move({ x: to.x + 1, y: to.y })
      .release(to);
    expect(hand.commands[1]).toMatchObject({ type: 'node.move' });
  });

  test('W4.12 Escape and a lost pointer end a drag without trace', () => {
    for (const end of ['escape', 'lose'] as const) {
      const hand = new CanvasHand(two());
      const at = hand.on('a');
      hand.drag(at, { x: at.x + 80, y: at.y });
      hand[end]();
      hand.release({ x: at.x + 80, y: at.y });
      expect(hand.moment.drag).toBeNull();
      expect(hand.commands).toEqual([]);
    }
  });

  test('W4.12 a press that hardly moves is a click, and sends nothing', () => {
    const hand = new CanvasHand(two());
    const at = hand.on('a');
    hand
      .press(at)
      .move({ x: at.x + 2, y: at.y + 1 })
      .release({ x: at.x + 2, y: at.y + 1 });
    expect(hand.commands).toEqual([]);
    expect([...hand.moment.selectedNodes]).toEqual(['a']);
  });

  test('W4.12 a click on empty canvas clears the selection', () => {
    const hand = new CanvasHand(two());
    hand.click(hand.on('a')).click(empty);
    expect(hand.moment.selectedNodes.size).toBe(0);
  });

  test('W4.02 while a run holds the document a drag on a card pans instead', () => {
    const hand = new CanvasHand(two());
    hand.editable = false;
    const at = hand.on('a');
    hand.drag(at, { x: at.x + 50, y: at.y }).release({ x: at.x + 50, y: at.y });
    expect(hand.moment.camera.x).toBe(50);
    expect(hand.commands).toEqual([]);
  });

  test('W4.02 a run that starts during a drag ends it without trace', () => {
    const hand = new CanvasHand(two());
    const at = hand.on('a');
    hand.drag(at, { x: at.x + 50, y: at.y });
    hand.editable = false;
    hand.release({ x: at.x + 50, y: at.y });
    expect(hand.moment.drag).toBeNull();
    expect(hand.commands).toEqual([]);
  });
});

describe('the band that selects', () => {
  const three = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100), agentAt('c', 500, 400)]);

  test('W2.06 a drag with Shift on empty canvas selects what the band touches, from any corner, and the view stays', () => {
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
      const hand = new CanvasHand(three()).with({ adds: true }).drag(from, to);
      expect([...hand.moment.selectedNodes].sort()).toEqual(['b', 'c']);
      expect(hand.moment.band).toEqual({ from, to });
      hand.release(to);
      expect(hand.moment).toMatchObject({ band: null, camera: { x: 0, y: 0, zoom: 1 } });
      expect(hand.commands).toEqual([]);
    }
  });

  test('W2.06 a band that shrinks gives back what it no longer touches, and keeps what was selected before', () => {
    const hand = new CanvasHand(three());
    hand.click(hand.on('a')).with({ adds: true });
    hand.press({ x: 450, y: 60 }).move({ x: 600, y: 600 });
    expect([...hand.moment.selectedNodes].sort()).toEqual(['a', 'b', 'c']);
    hand.move({ x: 600, y: 300 });
    expect([...hand.moment.selectedNodes].sort()).toEqual(['a', 'b']);
  });

  test('W2.06 Escape, a lost pointer and a second finger bring back what was selected before the band', () => {
    for (const end of [(hand: CanvasHand) => hand.escape(), (hand: CanvasHand) => hand.lose()]) {
      const hand = new CanvasHand(three());
      hand.click(hand.on('a')).with({ adds: true }).drag({ x: 450, y: 60 }, { x: 520, y: 420 });
      end(hand);
      expect(hand.moment.band).toBeNull();
      expect([...hand.moment.selectedNodes]).toEqual(['a']);
    }
    const hand = new CanvasHand(three()).with({ device: 'touch' });
    hand.view.update({ mode: 'select', selectedNodes: new Set(['c']) });
    hand.press({ x: 450, y: 60 }).move({ x: 560, y: 180 });
    expect([...hand.moment.selectedNodes]).toEqual(['b']);
    hand.press({ x: 700, y: 600 }, 2);
    expect(hand.tool.kind).toBe('pinch');
    expect(hand.moment.band).toBeNull();
    expect([...hand.moment.selectedNodes]).toEqual(['c']);
  });

  test('W2.06 in the selecting mode a plain drag draws the band and takes the place of the selection; the space bar still pans', () => {
    const hand = new CanvasHand(three());
    hand.view.update({ mode: 'select', selectedNodes: new Set(['a']) });
    hand.drag({ x: 450, y: 60 }, { x: 520, y: 180 }).release({ x: 520, y: 180 });
    expect([...hand.moment.selectedNodes]).toEqual(['b']);
    hand.with({ pans: true }).drag(empty, { x: 460, y: 640 });
    expect(hand.moment.camera).toEqual({ x: 10, y: 40, zoom: 1 });
  });

  test('W2.06 the band is drawn at the zoom in view', () => {
    const hand = new CanvasHand(three(), { x: 50, y: 20, zoom: 0.5 }).with({ adds: true });
    hand.drag({ x: 40, y: 10 }, { x: 101, y: 71 });
    expect([...hand.moment.selectedNodes]).toEqual(['a']);
    expect(hand.moment.band?.to).toEqual({ x: 102, y: 102 });
  });

  test('W2.07 the mobile layout has no band', () => {
    const hand = new CanvasHand(three()).with({ device: 'touch' });
    hand.bands = false;
    hand.view.update({ mode: 'select' });
    hand.drag(empty, { x: 450, y: 500 });
    expect(hand.moment.band).toBeNull();
    expect(hand.moment.camera.y).toBe(-100);
  });

  test('W4.02 while a run holds the document cards can be selected by the band', () => {
    const hand = new CanvasHand(three()).with({ adds: true });
    hand.editable = false;
    hand.drag({ x: 450, y: 60 }, { x: 520, y: 180 });
    expect([...hand.moment.selectedNodes]).toEqual(['b']);
  });
});

describe('drawing links', () => {
  test('W4.11 released over an in port of another card, a link is made', () => {
    const hand = new CanvasHand(two());
    hand.drag(hand.port('a', 'out'), hand.port('b', 'in'));
    expect(hand.moment.linkDraft).toMatchObject({ from: 'a', over: 'b' });
    hand.release(hand.port('b', 'in'));
    expect(hand.commands).toEqual([{ type: 'link.add', from: 'a', to: 'b' }]);
  });

  test('W4.11 released elsewhere, the link is dropped', () => {
    const document = two();
    const hand = new CanvasHand(document);
    for (const to of [empty, hand.on('b'), hand.port('b', 'out')]) {
      hand.drag(hand.port('a', 'out'), to).release(to);
      expect(hand.moment.linkDraft).toBeNull();
    }
    expect(hand.commands).toEqual([]);
  });

  test('W4.11 an in port starts no link and moves nothing', () => {
    const hand = new CanvasHand(two());
    hand.drag(hand.port('b', 'in'), hand.port('a', 'out')).release(hand.port('a', 'out'));
    expect(hand.moment.linkDraft).toBeNull();
    expect(hand.moment.drag).toBeNull();
    expect(hand.commands).toEqual([]);
  });

  test('W4.11 a link cannot end on its own card: no port answers, and the engine is left to say why', () => {
    const hand = new CanvasHand(two());
    hand.drag(hand.port('a', 'out'), hand.port('a', 'in'));
    expect(hand.moment.linkDraft?.over).toBeNull();
    hand.release(hand.port('a', 'in'));
    expect(hand.commands).toEqual([{ type: 'link.add', from: 'a', to: 'a' }]);
  });

  test('W4.11 Escape drops a link that is being drawn', () => {
    const hand = new CanvasHand(two());
    hand.drag(hand.port('a', 'out'), hand.port('b', 'in')).escape().release(hand.port('b', 'in'));
    expect(hand.moment.linkDraft).toBeNull();
    expect(hand.commands).toEqual([]);
  });

  test('W4.02 while a run holds the document no link starts', () => {
    const hand = new CanvasHand(two());
    hand.editable = false;
    hand.press(hand.port('a', 'out'));
    expect(hand.moment.linkDraft).toBeNull();
    expect(hand.tool.kind).toBe('press');
  });

  test('W2.07 where nothing can be edited a finger on a port or a card pans', () => {
    const hand = new CanvasHand(two()).with({ device: 'touch' });
    hand.editable = false;
    const at = hand.port('a', 'out');
    hand.drag(at, { x: at.x, y: at.y + 70 }).release({ x: at.x, y: at.y + 70 });
    expect(hand.moment.camera.y).toBe(70);
    expect(hand.commands).toEqual([]);
  });
});

describe('links under the pointer', () => {
  test('W2.08 the pointer on a link hovers it, and leaving it ends that', () => {
    const hand = new CanvasHand(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    hand.move({ x: 440, y: 179 });
    expect(hand.moment.hover).toEqual({ kind: 'link', id: 'a-b' });
    hand.move(empty);
    expect(hand.moment.hover).toBeNull();
  });

  test('W2.08 a click on a link selects it alone', () => {
    const hand = new CanvasHand(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    hand.click(hand.on('a')).click({ x: 440, y: 178 });
    expect([...hand.moment.selectedLinks]).toEqual(['a-b']);
    expect(hand.moment.selectedNodes.size).toBe(0);
  });

  test('W2.08 the link that is hovered, else the only one selected, shows its button', () => {
    const hand = new CanvasHand(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    expect(removableLink(hand.moment, false)).toBeNull();
    hand.move({ x: 440, y: 178 });
    expect(removableLink(hand.moment, false)).toBe('a-b');
    hand.click({ x: 440, y: 178 }).move(empty);
    expect(removableLink(hand.moment, false)).toBe('a-b');
    hand.with({ adds: true }).click(hand.on('a'));
    expect(removableLink(hand.moment, false)).toBeNull();
  });

  test('W4.02 while a run holds the document no link shows its button', () => {
    const hand = new CanvasHand(documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)], [['a', 'b']]));
    hand.click({ x: 440, y: 178 }).move({ x: 441, y: 178 });
    expect(removableLink(hand.moment, true)).toBeNull();
  });
});
