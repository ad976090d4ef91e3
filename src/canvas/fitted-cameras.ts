import type { Camera } from './geometry/camera.ts';

/** What a camera shows since no person has moved it: what a newly opened project shows, or all cards, as a person has asked for them. */
type Fitting = 'opening' | 'all';

const fitted = new WeakMap<Camera, Fitting>();

export function asFitted(camera: Camera, to: Fitting = 'opening'): Camera {
  fitted.set(camera, to);
  return camera;
}

/** Returns what a camera is fitted to; null after a person has moved it. */
export function fittedTo(camera: Camera): Fitting | null {
  return fitted.get(camera) ?? null;
}
