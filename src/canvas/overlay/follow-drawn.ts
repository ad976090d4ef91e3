import type { CanvasView, EphemeralKey, EphemeralState } from '../canvas-view.ts';

/**
 * Places something above the canvas now, and again with each drawn frame that shows other values of these parts of the view. A camera
 * animation changes the view after the frame was drawn: an element that followed the view itself would be a frame ahead of its card.
 */
export function followDrawn(view: CanvasView, keys: readonly EphemeralKey[], place: (ephemeral: EphemeralState) => void): () => void {
  let placed = view.ephemeral;
  place(placed);
  return view.drawn.subscribe(() => {
    const { ephemeral } = view;
    const isOld = keys.some((key) => ephemeral[key] !== placed[key]);
    placed = ephemeral;
    if (isOld) place(ephemeral);
  });
}
