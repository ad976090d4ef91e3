import type { EphemeralState } from '../canvas-view.ts';
import { type Camera, type Point, zoomAt } from '../geometry/camera.ts';
import { limitZoom } from './wheel-camera.ts';

/** The zoom that one press of plus or minus adds or removes. W9.01 */
const buttonStep = 0.2;

/** The camera zoomed by one step about the middle of the area that panels leave free. W2.05 */
export function zoomByStep(ephemeral: Pick<EphemeralState, 'camera' | 'size' | 'insets'>, direction: 1 | -1): Camera {
  // Sums of 0.2 drift in the last digits, and the percentage shown would too.
  const zoom = Math.round((ephemeral.camera.zoom + direction * buttonStep) * 1_000) / 1_000;
  return zoomTo(ephemeral, limitZoom(zoom, ephemeral.camera.zoom));
}

/** The camera at a zoom, about the middle of the area that panels leave free. */
export function zoomTo(ephemeral: Pick<EphemeralState, 'camera' | 'size' | 'insets'>, zoom: number): Camera {
  return zoom === ephemeral.camera.zoom ? ephemeral.camera : zoomAt(ephemeral.camera, freeMiddle(ephemeral), zoom);
}

/** The middle of the area that panels leave free, CSS px. */
export function freeMiddle({ size, insets }: Pick<EphemeralState, 'size' | 'insets'>): Point {
  return { x: (insets.left + size.width - insets.right) / 2, y: (insets.top + size.height - insets.bottom) / 2 };
}
