import { describe, expect, test } from 'vitest';
import { removableLink } from '../../../../src/canvas/overlay/links/removable-link.ts';
import { agentAt, CanvasDriver, documentOf } from '../../../support/canvas/canvas-driver.ts';

const two = () => documentOf([agentAt('a', 100, 100), agentAt('b', 500, 100)]);
const empty = { x: 450, y: 600 };

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
