import type { Application } from 'pixi.js';
import { useEffect, useRef, useState } from 'react';
import { pixelRatio } from './canvas-surface.tsx';
import { PixiScene } from './scene/pixi-scene.ts';
import type { Scene, SceneOptions } from './scene/scene.ts';
import { loadFonts } from './scene/text/load-fonts.ts';

type UseSceneOptions = Omit<SceneOptions, 'app' | 'stillMotion'> & { onScene: ((scene: Scene) => void) | undefined };

/** Draws a scene into the application while both are there, and passes on what changes. */
export function useScene(app: Application | null, options: UseSceneOptions): void {
  const { store, view, index, theme, texts, ports, onScene } = options;
  const latest = useRef(options);
  latest.current = options;
  const [scene, setScene] = useState<Scene | null>(null);

  useEffect(() => {
    if (!app) return;
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    const { theme: firstTheme, texts: firstTexts, ports: firstPorts } = latest.current;
    let scene: Scene | null = null;
    let isGone = false;
    // Text measured by a stand-in font would be cut at the wrong places.
    void loadFonts().then(() => {
      if (isGone || !app.renderer) return;
      resize(app, view.moment.size);
      scene = new PixiScene({
        app,
        store,
        view,
        index,
        theme: firstTheme,
        texts: firstTexts,
        ports: firstPorts,
        stillMotion: () => view.still || reducedMotion.matches,
      });
      setScene(scene);
    });
    return () => {
      isGone = true;
      scene?.dispose();
      setScene(null);
    };
  }, [app, store, view, index]);

  useEffect(() => {
    if (!app || !scene) return;
    const fit = () => {
      if (!app.renderer) return;
      resize(app, view.moment.size);
      scene.redraw();
    };
    const refine = () => {
      fit();
      scene.textChanged();
    };
    const stopView = view.subscribe((_moment, changed) => {
      // Not every browser tells of another density each time.
      if (app.renderer && app.renderer.resolution !== pixelRatio()) refine();
      else if (changed.has('size')) fit();
    });
    const stopRatio = followPixelRatio(refine);
    const { canvas } = app;
    const restored = () => scene.restore();
    const fontsLoaded = () => scene.textChanged();
    canvas.addEventListener('webglcontextrestored', restored);
    document.fonts.addEventListener('loadingdone', fontsLoaded);
    fit();
    return () => {
      stopView();
      stopRatio();
      canvas.removeEventListener('webglcontextrestored', restored);
      document.fonts.removeEventListener('loadingdone', fontsLoaded);
    };
  }, [app, scene, view]);

  useEffect(() => scene?.setTheme(theme), [scene, theme]);
  useEffect(() => scene?.setTexts(texts), [scene, texts]);
  useEffect(() => scene?.setPorts(ports), [scene, ports]);
  useEffect(() => {
    if (scene) onScene?.(scene);
  }, [scene, onScene]);
}

function resize(app: Application, { width, height }: { width: number; height: number }): void {
  app.renderer.resize(Math.max(1, width), Math.max(1, height), pixelRatio());
}

/** Calls when the window moves to a screen of another density, or the page is zoomed. */
function followPixelRatio(changed: () => void): () => void {
  let query: MediaQueryList | null = null;
  const listen = () => {
    query?.removeEventListener('change', hear);
    query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', hear);
  };
  const hear = () => {
    listen();
    changed();
  };
  listen();
  return () => query?.removeEventListener('change', hear);
}
