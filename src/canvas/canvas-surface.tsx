import 'pixi.js/unsafe-eval';
import { Application, type ApplicationRef } from '@pixi/react';
import { type Application as PixiApplication, Ticker } from 'pixi.js';
import { Component, memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ObservableValue } from '../state/observable.ts';
import styles from './canvas.module.css';
import { pixelRatio } from './pixel-ratio.ts';
import type { PixiScene } from './scene/pixi-scene.ts';
import { type LayerName, SceneTree } from './scene/scene-tree.tsx';
import { createWebGlContext } from './webgl-context.ts';

/** Constant, since props that change while the application starts are reverted. */
const settings = {
  preference: 'webgl',
  autoStart: false,
  sharedTicker: false,
  antialias: false,
  autoDensity: true,
  gcActive: false,
  // PixiJS's pointer events and accessibility: the canvas has its own.
  skipExtensionImports: true,
} as const;

/** A started application, and the holder of the scene that its tree shows. */
export type Surface = { app: PixiApplication; scene: ObservableValue<PixiScene | null> };

type CanvasSurfaceProps = {
  onReady: (surface: Surface) => void;
  /** Called when nothing can be drawn. */
  onFault: () => void;
  /** Called when one layer cannot be drawn; the others are still drawn. */
  onLayerError: (layer: LayerName) => void;
};

/** The drawing surface: a Pixi application with the layers of the scene. Its props never change, so that it renders once. */
export const CanvasSurface = memo(function CanvasSurface({ onReady, onFault, onLayerError }: CanvasSurfaceProps) {
  const [scene] = useState(() => new ObservableValue<PixiScene | null>(null));
  const start = (app: PixiApplication) => {
    // The ticker of PixiJS does not run: the scene draws only after changes.
    Ticker.system.autoStart = false;
    Ticker.system.stop();
    onReady({ app, scene });
  };
  const surface = useRef<ApplicationRef>(null);
  // The size that it will have: each other size after the first allocates one more buffer.
  const [size] = useState(() => ({ width: window.innerWidth, height: window.innerHeight, resolution: pixelRatio() }));
  useLayoutEffect(() => {
    const canvas = surface.current?.getCanvas();
    if (canvas && !createWebGlContext(canvas, size)) onFault();
  }, [size, onFault]);
  return (
    <Application ref={surface} {...settings} {...size} className={styles.surface} onInit={start}>
      <StageBoundary onFault={onFault}>
        <SceneTree source={scene} onLayerError={onLayerError} />
      </StageBoundary>
    </Application>
  );
});

/** Reports an error outside the layers, which would otherwise leave the canvas blank. */
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
