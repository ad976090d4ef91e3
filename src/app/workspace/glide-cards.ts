import type { CanvasView } from '../../canvas/canvas-view.ts';
import type { Glide } from '../../canvas/geometry/glide.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';

const glideMs = 300;
/** On a larger canvas a frame could not draw all that moves anew. */
const cardsAtMost = 500;

/**
 * Has what the next change of the document puts elsewhere glide there in 300 ms; the document itself has it there at once. Nothing glides where
 * the user wants no motion, the view is still or the canvas is large. Returns what ends the wait for the change.
 */
export function glideOnChange(store: WorkspaceStore, view: CanvasView): () => void {
  const before = Object.values(store.getState().document.nodes).map(({ id, x, y }) => ({ id, x, y }));
  if (view.still || before.length > cardsAtMost || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {};
  const stop = store.subscribe(({ document: { nodes } }) => {
    const way = new Map(
      before.flatMap(({ id, x, y }) => {
        const now = nodes[id];
        return now && (now.x !== x || now.y !== y) ? [[id, { x: x - now.x, y: y - now.y }]] : [];
      }),
    );
    if (way.size === 0) return;
    stop();
    glide(view, way);
  });
  return stop;
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
