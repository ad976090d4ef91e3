import { describe, expect, test } from 'vitest';
import { agentAt, CanvasDriver, documentOf } from '../../../support/canvas/canvas-driver.ts';

const empty = { x: 450, y: 600 };

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

  test('W2.06 a marquee that shrinks deselects the cards outside, and keeps the earlier selection', () => {
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

  test('W2.06 in the selecting mode a drag draws the marquee and replaces the selection; with the space bar it pans', () => {
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
