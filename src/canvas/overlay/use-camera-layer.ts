import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasView, EphemeralState } from '../canvas-view.ts';
import { followDrawn } from './follow-drawn.ts';

type CameraLayerOptions = {
  /** Below this zoom the layer has `data-far`. */
  minZoom: number;
  /** Whether the layer has children that are shown below `minZoom` too. */
  isShownFar?: boolean;
  /** Whether the layer has no children. */
  isEmpty: boolean;
};

/**
 * Moves an element with the camera, so that its children have world coordinates. A layer that shows nothing is not moved: each move makes the
 * browser put all layers of the page together again, which costs as much as a step of a pan.
 */
export function useCameraLayer(
  layer: RefObject<HTMLElement | null>,
  view: CanvasView,
  { minZoom, isShownFar = false, isEmpty }: CameraLayerOptions,
): void {
  useLayoutEffect(() => {
    if (isEmpty) return;
    const place = ({ camera }: EphemeralState) => {
      if (!layer.current) return;
      const isFar = camera.zoom < minZoom;
      if (isFar !== layer.current.hasAttribute('data-far')) layer.current.toggleAttribute('data-far', isFar);
      if (!isFar || isShownFar) layer.current.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`;
    };
    return followDrawn(view, ['camera'], place);
  }, [layer, view, minZoom, isShownFar, isEmpty]);
}
