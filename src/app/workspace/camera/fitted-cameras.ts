import type { Camera } from '../../../canvas/canvas-view.ts';

/** The cameras that show all that there is room for, since no person has moved them. */
const fitted = new WeakSet<Camera>();

export function asFitted(camera: Camera): Camera {
  fitted.add(camera);
  return camera;
}

export function isFitted(camera: Camera): boolean {
  return fitted.has(camera);
}
