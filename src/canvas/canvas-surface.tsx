import 'pixi.js/unsafe-eval';
import { Application, type ApplicationRef, extend } from '@pixi/react';
import { Container, type Application as PixiApplication, Ticker } from 'pixi.js';
import { Component, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import styles from './canvas.module.css';
import { beginDrawing } from './lean-webgl.ts';

extend({ Container });

/** Above this the picture no longer gets sharper, only dearer. */
const largestPixelRatio = 2;

/** Constant, since props that change while the application starts are reverted. */
const settings = {
  preference: 'webgl',
  autoStart: false,
  sharedTicker: false,
  antialias: false,
  autoDensity: true,
  gcActive: false,
  // Its pointer events, its own accessibility and the like: the canvas has its own.
  skipExtensionImports: true,
} as const;

export function pixelRatio(): number {
  return Math.min(largestPixelRatio, window.devicePixelRatio || 1);
}

type CanvasSurfaceProps = { onReady: (app: PixiApplication) => void; onFault: () => void };

/** The drawing surface: a Pixi application with an empty stage, which the scene fills. */
export const CanvasSurface = memo(function CanvasSurface({ onReady, onFault }: CanvasSurfaceProps) {
  const start = (app: PixiApplication) => {
    // Nothing here runs on a clock of Pixi's: the scene draws when something has changed.
    Ticker.system.autoStart = false;
    Ticker.system.stop();
    onReady(app);
  };
  const surface = useRef<ApplicationRef>(null);
  // As large as it is about to be: each size after the first is one more buffer.
  const [size] = useState(() => ({ width: window.innerWidth, height: window.innerHeight, resolution: pixelRatio() }));
  useLayoutEffect(() => {
    const canvas = surface.current?.getCanvas();
    if (canvas && !beginDrawing(canvas, size)) onFault();
  }, [size, onFault]);
  return (
    <Application ref={surface} {...settings} {...size} className={styles.surface} onInit={start}>
      <StageBoundary onFault={onFault}>
        <pixiContainer />
      </StageBoundary>
    </Application>
  );
});

/** An error in the stage would leave the canvas blank without a word. */
class StageBoundary extends Component<{ onFault: () => void; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFault();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
