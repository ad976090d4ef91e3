import type { Application } from 'pixi.js';
import { useEffect } from 'react';

/** How long (ms) restoring a lost drawing context may take before the canvas counts as broken. */
const restoreTimeoutMs = 5_000;

/** Calls `onLost` when the canvas's drawing context was lost and the browser does not restore it. */
export function useLostContext(app: Application | null, onLost: () => void): void {
  useEffect(() => {
    if (!app?.renderer) return;
    const { canvas } = app;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lost = () => {
      timer = setTimeout(onLost, restoreTimeoutMs);
    };
    const restored = () => clearTimeout(timer);
    canvas.addEventListener('webglcontextlost', lost);
    canvas.addEventListener('webglcontextrestored', restored);
    return () => {
      clearTimeout(timer);
      canvas.removeEventListener('webglcontextlost', lost);
      canvas.removeEventListener('webglcontextrestored', restored);
    };
  }, [app, onLost]);
}
