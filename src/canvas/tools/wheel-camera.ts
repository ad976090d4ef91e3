import { type Camera, type Point, pan, zoomAt, zoomLimits } from '../geometry/camera.ts';

type WheelInput = {
  deltaX: number;
  deltaY: number;
  /** The DOM's unit: 0 px, 1 lines, 2 pages. */
  deltaMode: number;
  /** Held, or a pinch on a trackpad, which browsers report so. */
  ctrl: boolean;
  /** CSS px from the canvas's top-left corner. */
  at: Point;
};

/** One notch of a wheel, in px, multiplies the zoom by this or divides it. W9.01 */
const notch = { delta: 100, factor: 1.1 } as const;
const pxPerUnit = [1, 100 / 3, 100];
/** A pinch comes in steps much smaller than a notch; this factor makes up for it. */
const pinch = { below: 50, base: Math.E } as const;

/** The camera after a turn of the wheel: zoomed about the pointer, or moved sideways by a purely sideways scroll. W2.06 */
export function wheelCamera(camera: Camera, wheel: WheelInput): Camera {
  const unit = pxPerUnit[wheel.deltaMode] ?? 1;
  const deltaY = wheel.deltaY * unit;
  if (deltaY === 0) return wheel.deltaX === 0 ? camera : pan(camera, -wheel.deltaX * unit, 0);
  const zoom = limitZoom(camera.zoom * wheelFactor(deltaY, wheel.ctrl), camera.zoom);
  return zoom === camera.zoom ? camera : zoomAt(camera, wheel.at, zoom);
}

function wheelFactor(delta: number, ctrl: boolean): number {
  if (ctrl && Math.abs(delta) < pinch.below) return pinch.base ** (-delta / 100);
  return notch.factor ** (-delta / notch.delta);
}

/** Clamps a zoom to its limits. A zoom that "fit to view" left outside them may only move towards them. W9.01 */
export function limitZoom(zoom: number, before: number): number {
  return Math.min(Math.max(zoomLimits.max, before), Math.max(Math.min(zoomLimits.min, before), zoom));
}
