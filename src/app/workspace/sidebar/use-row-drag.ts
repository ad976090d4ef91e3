import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { toWorld } from '../../../canvas/geometry/camera.ts';
import { toGrid } from '../../../canvas/geometry/grid-step.ts';
import type { AddableItem } from '../../../model/commands.ts';
import { nodeSize } from '../../../model/document/node-size.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { linkUnderItem } from './link-under-item.ts';
import type { PlaceSource } from './menu-row.tsx';

/** The distance after which a press becomes a drag (px). */
const threshold = 4;

type Point = { x: number; y: number };

/** Drags a sidebar row onto the canvas: the card's middle lands under the pointer. Escape, or a drop over a panel, cancels it. W5.02 */
export function useRowDrag(source: PlaceSource | null, onPlace: (item: AddableItem, at: Point) => void) {
  const { view, mobile } = useWorkspaceContext();
  const store = useStore();
  const [at, setAt] = useState<Point | null>(null);
  const press = useRef<Point | null>(null);
  // Kept outside of the state: a quick drag may end before its first move is rendered.
  const dragged = useRef(false);

  const end = () => {
    if (press.current && dragged.current) view.update({ hover: null });
    press.current = null;
    setAt(null);
  };

  useEffect(() => {
    if (!at) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      press.current = null;
      setAt(null);
    };
    addEventListener('keydown', cancel, true);
    return () => removeEventListener('keydown', cancel, true);
  }, [at]);

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      dragged.current = false;
      if (!source || mobile || event.button !== 0) return;
      press.current = { x: event.clientX, y: event.clientY };
      // The first move of a quick drag may end outside of the row.
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!press.current) return;
      if (!dragged.current) {
        if (Math.hypot(event.clientX - press.current.x, event.clientY - press.current.y) < threshold) return;
        dragged.current = true;
      }
      setAt({ x: event.clientX, y: event.clientY });
      if (!source) return;
      const link = isOverCanvas(event.clientX, event.clientY)
        ? linkUnderItem({ store, view }, source.item, dropPoint(event, source.item))
        : null;
      view.update({ hover: link === null ? null : { kind: 'link', id: link } });
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const dropped = dragged.current && press.current !== null;
      end();
      if (dropped && source && isOverCanvas(event.clientX, event.clientY)) onPlace(source.item, dropPoint(event, source.item));
    },
    onPointerCancel: end,
  };

  function dropPoint(event: PointerEvent, item: AddableItem): Point {
    const middle = toWorld(view.ephemeral.camera, { x: event.clientX, y: event.clientY });
    const size = placedSize(item);
    const corner = { x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
    return view.ephemeral.snaps ? { x: toGrid(corner.x), y: toGrid(corner.y) } : corner;
  }

  /** True once after a drag: its closing click is ignored. */
  const justDragged = () => {
    const was = dragged.current;
    dragged.current = false;
    return was;
  };

  return { at, handlers, justDragged };
}

/** The size of the dropped card (world px); a flow or a pattern lands with its first card under the pointer. */
export function placedSize({ kind }: AddableItem): { width: number; height: number } {
  return nodeSize({ type: kind === 'flow' ? 'dialog' : kind === 'user' || kind === 'pattern' ? 'agent' : kind });
}

function isOverCanvas(x: number, y: number): boolean {
  const under = document.elementFromPoint(x, y);
  return under !== null && under.closest('[data-panel]') === null && under.closest('[data-workspace]') !== null;
}
