import type { Camera, CanvasMoment } from '../canvas-view.ts';
import { type Point, zoomAt } from '../geometry/camera.ts';
import { limitZoom } from './wheel-camera.ts';

/** What one press of plus or minus adds or takes. W9.01 */
const buttonStep = 0.2;

/** The camera one step nearer or further, about the middle of what the panels leave free. W2.05 */
export function zoomByStep(moment: Pick<CanvasMoment, 'camera' | 'size' | 'insets'>, direction: 1 | -1): Camera {
  // Sums of 0.2 drift in the last digits, and the percentage shown would too.
  const zoom = Math.round((moment.camera.zoom + direction * buttonStep) * 1_000) / 1_000;
  return zoomTo(moment, limitZoom(zoom, moment.camera.zoom));
}

/** The camera at a zoom, about the middle of what the panels leave free. */
export function zoomTo(moment: Pick<CanvasMoment, 'camera' | 'size' | 'insets'>, zoom: number): Camera {
  return zoom === moment.camera.zoom ? moment.camera : zoomAt(moment.camera, freeMiddle(moment), zoom);
}

/** The middle of what the panels leave free, CSS px. */
export function freeMiddle({ size, insets }: Pick<CanvasMoment, 'size' | 'insets'>): Point {
  return { x: (insets.left + size.width - insets.right) / 2, y: (insets.top + size.height - insets.bottom) / 2 };
}
