import { memo, useLayoutEffect, useRef } from 'react';
import styles from './canvas.module.css';
import { beginDrawing } from './lean-webgl.ts';
import { type CanvasApplication, destroyApplication, startApplication } from './renderer/canvas-application.ts';

/** Above this the picture no longer gets sharper, only dearer. */
const largestPixelRatio = 2;

export function pixelRatio(): number {
  return Math.min(largestPixelRatio, window.devicePixelRatio || 1);
}

type CanvasSurfaceProps = { onReady: (app: CanvasApplication) => void; onFault: () => void };

/** The drawing surface: an application with an empty stage, which the scene fills. A canvas of its own for each: one that lost its context gets no other. */
export const CanvasSurface = memo(function CanvasSurface({ onReady, onFault }: CanvasSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const canvas = document.createElement('canvas');
    canvas.className = styles.surface ?? '';
    surface.current?.append(canvas);
    // As large as it is about to be: each size after the first is one more buffer.
    const size = { width: window.innerWidth, height: window.innerHeight, resolution: pixelRatio() };
    if (!beginDrawing(canvas, size)) {
      onFault();
      return () => canvas.remove();
    }
    let app: CanvasApplication | null = null;
    let isGone = false;
    startApplication(canvas, size).then(
      (started) => {
        if (isGone) destroyApplication(started);
        else {
          app = started;
          onReady(started);
        }
      },
      (problem: unknown) => {
        reportError(problem);
        if (!isGone) onFault();
      },
    );
    return () => {
      isGone = true;
      canvas.remove();
      if (app) destroyApplication(app);
    };
  }, [onReady, onFault]);
  return <div ref={surface} className={styles.place} />;
});
