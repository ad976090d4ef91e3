import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { boxOf } from '../../../model/document/annotations.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { CanvasView, EphemeralState } from '../../canvas-view.ts';
import { isCard } from '../../folding/folded-records.ts';
import { gridSize } from '../../geometry/grid-step.ts';
import { useStoreValue } from '../../use-store-value.ts';
import { followDrawn } from '../follow-drawn.ts';
import styles from './resize-handles.module.css';
import { type Grip, resizedBox } from './resized-box.ts';

type Props = { store: WorkspaceStore; view: CanvasView; dispatch: Dispatch };

const grips: readonly (Grip & { name: string })[] = [
  { name: 'nw', x: -1, y: -1 },
  { name: 'n', x: 0, y: -1 },
  { name: 'ne', x: 1, y: -1 },
  { name: 'e', x: 1, y: 0 },
  { name: 'se', x: 1, y: 1 },
  { name: 's', x: 0, y: 1 },
  { name: 'sw', x: -1, y: 1 },
  { name: 'w', x: -1, y: 0 },
];

/** Resize handles round the only selected note or group. Hidden while it is dragged or edited, and while a run locks the document. */
export function ResizeHandles({ store, view, dispatch }: Props) {
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => {
    const choose = ({ selectedNodes, selectedLinks, drag, editing }: EphemeralState) => {
      const [only] = selectedNodes;
      const isFree = selectedLinks.size === 0 && drag === null && editing === null;
      setChosen(only !== undefined && selectedNodes.size === 1 && isFree ? only : null);
    };
    choose(view.ephemeral);
    return view.subscribe(choose);
  }, [view]);
  const node = useStoreValue(store, (state) => (chosen === null ? undefined : state.document.nodes[chosen]));
  const locked = useStoreValue(store, (state) => isLocked(state.run));
  return node && !isCard(node) && !locked ? <Handles key={node.id} node={node} view={view} dispatch={dispatch} /> : null;
}

function Handles({ node, view, dispatch }: { node: CanvasNode; view: CanvasView; dispatch: Dispatch }) {
  const frame = useRef<HTMLDivElement>(null);
  const hold = useRef<{ grip: Grip; x: number; y: number } | null>(null);

  useLayoutEffect(() => {
    const follow = ({ camera, resize }: EphemeralState) => {
      const { x, y, width, height } = resize?.id === node.id ? resize : boxOf(node);
      const { style } = frame.current as HTMLDivElement;
      style.transform = `translate(${x * camera.zoom + camera.x}px, ${y * camera.zoom + camera.y}px)`;
      style.width = `${width * camera.zoom}px`;
      style.height = `${height * camera.zoom}px`;
    };
    return followDrawn(view, ['camera', 'resize'], follow);
  }, [view, node]);

  // The gesture ends when the handles unmount: by Escape, a removal, or a run that starts.
  useEffect(
    () => () => {
      if (hold.current) view.update({ resize: null });
    },
    [view],
  );

  const move = (event: PointerEvent) => {
    if (!hold.current) return;
    const { camera, snaps } = view.ephemeral;
    const moved = { dx: (event.clientX - hold.current.x) / camera.zoom, dy: (event.clientY - hold.current.y) / camera.zoom };
    const box = boxOf(node);
    view.update({ resize: { id: node.id, ...resizedBox(box, hold.current.grip, moved, snaps ? gridSize : null) } });
  };
  const end = async (keeps: boolean) => {
    hold.current = null;
    const { resize } = view.ephemeral;
    if (keeps && resize) {
      const { id, ...changes } = resize;
      await dispatch({ type: 'node.update', id, changes });
    }
    view.update({ resize: null });
  };
  return (
    <div ref={frame} className={styles.frame} data-testid="resize-handles">
      {grips.map(({ name, x, y }) => (
        <div
          key={name}
          className={styles.handle}
          data-grip={name}
          data-canvas-control="hover"
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            hold.current = { grip: { x, y }, x: event.clientX, y: event.clientY };
          }}
          onPointerMove={move}
          onPointerUp={() => void end(true)}
          onPointerCancel={() => void end(false)}
          onLostPointerCapture={() => hold.current && void end(false)}
        />
      ))}
    </div>
  );
}
