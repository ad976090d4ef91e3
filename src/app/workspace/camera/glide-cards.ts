import type { CanvasView } from '../../../canvas/canvas-view.ts';
import type { Point } from '../../../canvas/geometry/camera.ts';
import type { Glide } from '../../../canvas/geometry/glide.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';

const glideMs = 300;
/** On a larger canvas a frame could not draw all that moves anew. */
const cardsAtMost = 500;

/**
 * Carries out `edit` and has what moves meanwhile glide to its new place in 300 ms; the document itself has it there at once. Nothing
 * glides where the user wants no motion, the view is still or the canvas is large.
 */
export async function glideWhile<T>(store: WorkspaceStore, view: CanvasView, edit: () => Promise<T>): Promise<T> {
  const { nodes } = store.getState().document;
  if (view.still || Object.keys(nodes).length > cardsAtMost || matchMedia('(prefers-reduced-motion: reduce)').matches) return edit();
  const stop = store.subscribe(({ document }, _, earlier) => {
    const way: Map<string, Point> = new Map();
    for (const [id, before] of earlier.nodes) {
      const now = document.nodes[id];
      if (before && now && (now.x !== before.x || now.y !== before.y)) way.set(id, { x: before.x - now.x, y: before.y - now.y });
    }
    if (way.size > 0) glide(view, way);
  });
  try {
    return await edit();
  } finally {
    stop();
  }
}

/** A later glide takes the place of this one, and a drag ends it. */
function glide(view: CanvasView, way: Glide['way']): void {
  let shown: Glide = { way, left: 1 };
  const begin = performance.now();
  const step = (now: number) => {
    if (view.moment.glide !== shown) return;
    const left = view.moment.drag ? 0 : (1 - Math.min(1, Math.max(0, (now - begin) / glideMs))) ** 3;
    shown = { way, left };
    view.update({ glide: left > 0 ? shown : null });
    if (left > 0) requestAnimationFrame(step);
  };
  view.update({ glide: shown });
  requestAnimationFrame(step);
}
