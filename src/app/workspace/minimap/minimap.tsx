import { type PointerEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { throttle } from '../../../../async/throttle.ts';
import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { type FoldedStore, foldedStore } from '../../../canvas/folding/folded-store.ts';
import { routing } from '../../../canvas/geometry/routes/routing.ts';
import { cardViews } from '../../../model/card-view.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { whenIdle } from '../../../ui/loading/when-idle.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { useTheme } from '../../../ui/theme.tsx';
import { usePalette } from '../../../ui/use-palette.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './minimap.module.css';
import { cameraAt, type MapFrame, mapFrame, viewInMap } from './minimap-frame.ts';
import { mappedBounds, paintMinimap } from './paint-minimap.ts';

/** Map px. */
const size = { width: 162, height: 98 } as const;
const nowhere = { left: 0, top: 0, right: 1, bottom: 1 };

/**
 * The whole canvas in small, with a draggable frame of the view. It is drawn in the browser's idle time and
 * only after a change of the document or the run: the camera moves only the frame.
 */
export function Minimap() {
  const { t } = useTranslation('actions');
  const { view } = useWorkspaceContext();
  const source = useStore();
  const store = useMemo(() => foldedStore(source, view), [source, view]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<MapFrame>({ x: 0, y: 0, scale: 1 });
  const box = useRef<HTMLDivElement>(null);
  const place = usePlacedBox(box, frame, view);
  const draw = usePicture(canvas, frame, store, place);
  const drag = useDrag(frame, view, { draw, place });
  return (
    <div className={styles.map} role="img" aria-label={t('minimap.label')} data-testid="minimap" {...drag}>
      <canvas ref={canvas} className={styles.picture} />
      <div ref={box} className={styles.view} />
    </div>
  );
}

/** The shortest time between two moves of the frame: each costs the page nearly as much as drawing the canvas. */
const followsCamera = { ms: 60, everyCalls: 4 };

/** Moves the view's frame with the camera. The returned function does so immediately. */
function usePlacedBox(box: RefObject<HTMLElement | null>, frame: RefObject<MapFrame>, view: CanvasView): () => void {
  const written = useRef('');
  const place = useCallback(() => {
    if (!box.current) return;
    const { camera, size: shown } = view.ephemeral;
    const { left, top, right, bottom } = viewInMap(frame.current, camera, shown, size);
    const transform = `translate(${seen(left)}px, ${seen(top)}px)`;
    const width = `${seen(right - left)}px`;
    const height = `${seen(bottom - top)}px`;
    // On a large canvas most steps of a pan move the frame by less than is visible.
    if (written.current === transform + width + height) return;
    written.current = transform + width + height;
    Object.assign(box.current.style, { transform, width, height });
  }, [box, frame, view]);
  useEffect(() => {
    place();
    const placeSoon = throttle(place, { ...followsCamera, ...pageClock });
    const stop = view.subscribe((_state, changed) => (changed.has('camera') || changed.has('size')) && placeSoon());
    return () => {
      stop();
      placeSoon.cancel();
    };
  }, [view, place]);
  return place;
}

/** Rounds to half map px. */
function seen(length: number): number {
  return Math.round(length * 2) / 2;
}

/** The shortest time between two drawings during edits or events (ms). The cost grows with the number of cards, and so does the time. */
const redrawnEvery = { ms: 500, msPerCard: 0.2 };

/** Draws the document after a change of it or of the run, and reports the transform. The returned function draws immediately if needed. */
function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  frame: RefObject<MapFrame>,
  store: FoldedStore,
  placed: () => void,
): () => void {
  const palette = usePalette(useTheme().theme);
  const now = useRef(() => {});
  useEffect(() => {
    let callOff: (() => void) | null = null;
    let drawn: unknown[] = [];
    let drawnAt = Number.NEGATIVE_INFINITY;
    let cards = 0;
    const draw = () => {
      callOff = null;
      drawnAt = performance.now();
      const pen = canvas.current?.getContext('2d');
      if (!pen) return;
      const { document, run } = store.getState();
      if (document !== drawn[0]) frame.current = mapFrame(mappedBounds(document) ?? nowhere, size);
      drawn = [document, run];
      const pixelRatio = Math.min(2, window.devicePixelRatio || 1);
      if (pen.canvas.width !== size.width * pixelRatio) {
        pen.canvas.width = size.width * pixelRatio;
        pen.canvas.height = size.height * pixelRatio;
      }
      cards = paintMinimap(pen, frame.current, { document, views: cardViews(run), folding: store.folding, palette }, pixelRatio);
      placed();
    };
    const schedule = () => {
      const { document, run } = store.getState();
      if (callOff !== null || (document === drawn[0] && run === drawn[1])) return;
      const wait = drawnAt + Math.max(redrawnEvery.ms, cards * redrawnEvery.msPerCard) - performance.now();
      if (wait <= 0) {
        callOff = whenIdle(draw);
        return;
      }
      const timer = setTimeout(() => {
        callOff = whenIdle(draw);
      }, wait);
      callOff = () => clearTimeout(timer);
    };
    now.current = () => {
      if (callOff === null) return;
      callOff();
      draw();
    };
    schedule();
    const stop = store.subscribe(schedule);
    const stopRouting = routing.subscribe(() => {
      drawn = [];
      schedule();
    });
    return () => {
      stop();
      stopRouting();
      callOff?.();
    };
  }, [canvas, frame, store, placed, palette]);
  return useCallback(() => now.current(), []);
}

/** A press outside of the frame moves the view there; a drag moves it along. */
function useDrag(frame: RefObject<MapFrame>, view: CanvasView, { draw, place }: { draw: () => void; place: () => void }) {
  const hold = useRef<{ x: number; y: number } | null>(null);
  const move = (event: PointerEvent<HTMLElement>) => {
    if (!hold.current) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const point = { x: event.clientX - left - hold.current.x, y: event.clientY - top - hold.current.y };
    view.update({ camera: cameraAt(frame.current, point, view.ephemeral.camera, view.ephemeral.size) });
    place();
  };
  const end = () => {
    hold.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      draw();
      const corner = event.currentTarget.getBoundingClientRect();
      const x = event.clientX - corner.left;
      const y = event.clientY - corner.top;
      const { left, top, right, bottom } = viewInMap(frame.current, view.ephemeral.camera, view.ephemeral.size, size);
      const isInside = x >= left && x <= right && y >= top && y <= bottom;
      hold.current = isInside ? { x: x - (left + right) / 2, y: y - (top + bottom) / 2 } : { x: 0, y: 0 };
      if (!isInside) move(event);
    },
    onPointerMove: move,
    onPointerUp: end,
    onPointerCancel: end,
  };
}
