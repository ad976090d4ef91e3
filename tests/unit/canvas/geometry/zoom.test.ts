import { describe, expect, test } from 'vitest';
import { toWorld } from '../../../../src/canvas/geometry/camera.ts';
import { wheelCamera } from '../../../../src/canvas/tools/wheel-camera.ts';
import { zoomByStep } from '../../../../src/canvas/tools/zoom-step.ts';

const at = { x: 300, y: 200 };
const notch = (deltaY: number, more = {}) => ({ deltaX: 0, deltaY, deltaMode: 0, ctrl: false, at, ...more });

describe('wheel', () => {
  test('W2.06 one notch of the wheel zooms by a tenth about the pointer', () => {
    const camera = { x: -40, y: 15, zoom: 0.8 };
    const nearer = wheelCamera(camera, notch(-100));
    expect(nearer.zoom).toBeCloseTo(0.88);
    expect(toWorld(nearer, at).x).toBeCloseTo(toWorld(camera, at).x);
    expect(toWorld(nearer, at).y).toBeCloseTo(toWorld(camera, at).y);
    expect(wheelCamera(nearer, notch(100)).zoom).toBeCloseTo(0.8);
  });

  test('W9.01 half a notch zooms half as far, and a turn in lines zooms as one in pixels', () => {
    const camera = { x: 0, y: 0, zoom: 1 };
    expect(wheelCamera(wheelCamera(camera, notch(-50)), notch(-50)).zoom).toBeCloseTo(1.1);
    expect(wheelCamera(camera, notch(-3, { deltaMode: 1 })).zoom).toBeCloseTo(1.1);
  });

  test('W9.01 the zoom stops at 0.1 and 3', () => {
    let camera = { x: 0, y: 0, zoom: 1 };
    for (let i = 0; i < 50; i++) camera = wheelCamera(camera, notch(100));
    expect(camera.zoom).toBe(0.1);
    for (let i = 0; i < 80; i++) camera = wheelCamera(camera, notch(-100));
    expect(camera.zoom).toBe(3);
  });

  test('W9.01 from a zoom below the limit, which fitting may set, the wheel zooms in but not further out', () => {
    const far = { x: 0, y: 0, zoom: 0.04 };
    expect(wheelCamera(far, notch(100))).toBe(far);
    expect(wheelCamera(far, notch(-100)).zoom).toBeCloseTo(0.044);
  });

  test('W2.06 a pinch on a trackpad, which comes as small turns with Ctrl, zooms faster than a wheel', () => {
    const camera = { x: 0, y: 0, zoom: 1 };
    expect(wheelCamera(camera, notch(-10, { ctrl: true })).zoom).toBeCloseTo(Math.E ** 0.1);
    expect(wheelCamera(camera, notch(-100, { ctrl: true })).zoom).toBeCloseTo(1.1);
  });
});

describe('buttons', () => {
  const view = { size: { width: 1_000, height: 800 }, insets: { top: 0, right: 0, bottom: 200, left: 200 } };

  test('W9.01 the zoom buttons add and subtract 0.2 about the middle of the free area, and stop at the limits', () => {
    const camera = { x: 7, y: 9, zoom: 0.9 };
    const nearer = zoomByStep({ ...view, camera }, 1);
    expect(nearer.zoom).toBe(1.1);
    const middle = { x: 600, y: 300 };
    expect(toWorld(nearer, middle).x).toBeCloseTo(toWorld(camera, middle).x);
    expect(toWorld(nearer, middle).y).toBeCloseTo(toWorld(camera, middle).y);
    expect(zoomByStep({ ...view, camera: { ...camera, zoom: 2.9 } }, 1).zoom).toBe(3);
    expect(zoomByStep({ ...view, camera: { ...camera, zoom: 0.2 } }, -1).zoom).toBe(0.1);
  });
});
