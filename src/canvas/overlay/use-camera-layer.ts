import { type RefObject, useLayoutEffect } from 'react';
import type { CanvasView, EphemeralState } from '../canvas-view.ts';

/** Moves an element with the camera, so that its children have world coordinates. Below `minZoom` it has `data-far`. */
export function useCameraLayer(layer: RefObject<HTMLElement | null>, view: CanvasView, minZoom: number): void {
  useLayoutEffect(() => {
    const place = ({ camera }: EphemeralState) => {
      if (!layer.current) return;
      layer.current.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.zoom})`;
      layer.current.toggleAttribute('data-far', camera.zoom < minZoom);
    };
    place(view.ephemeral);
    return view.subscribe((ephemeral, changed) => changed.has('camera') && place(ephemeral));
  }, [layer, view, minZoom]);
}
