import type { CanvasView } from '../../../canvas/canvas-view.ts';
import type { Point } from '../../../canvas/geometry/camera.ts';
import type { LayoutTween } from '../../../canvas/geometry/layout-tween.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';

const tweenMs = 300;
/** The maximum of animated cards: on a larger canvas a frame could not redraw all of them. */
const maxCards = 500;

/**
 * Runs `edit` and animates the cards that it moves to their new places in 300 ms. The document changes immediately. There is no
 * animation if the user prefers reduced motion, if the view is static, or if the canvas is large.
 */
export async function animateLayout<T>(store: WorkspaceStore, view: CanvasView, edit: () => Promise<T>): Promise<T> {
  const { nodes } = store.getState().document;
  if (view.isStatic || Object.keys(nodes).length > maxCards || matchMedia('(prefers-reduced-motion: reduce)').matches) return edit();
  const stop = store.subscribe(({ document }, _, earlier) => {
    const offsets: Map<string, Point> = new Map();
    for (const [id, before] of earlier.nodes) {
      const now = document.nodes[id];
      if (before && now && (now.x !== before.x || now.y !== before.y)) offsets.set(id, { x: before.x - now.x, y: before.y - now.y });
    }
    if (offsets.size > 0) startTween(view, offsets);
  });
  try {
    return await edit();
  } finally {
    stop();
  }
}

/** A later tween replaces this one, and a drag ends it. */
function startTween(view: CanvasView, offsets: LayoutTween['offsets']): void {
  let shown: LayoutTween = { offsets, remaining: 1 };
  const begin = performance.now();
  const step = (now: number) => {
    if (view.ephemeral.layoutTween !== shown) return;
    const remaining = view.ephemeral.drag ? 0 : (1 - Math.min(1, Math.max(0, (now - begin) / tweenMs))) ** 3;
    shown = { offsets, remaining };
    view.update({ layoutTween: remaining > 0 ? shown : null });
    if (remaining > 0) requestAnimationFrame(step);
  };
  view.update({ layoutTween: shown });
  requestAnimationFrame(step);
}
