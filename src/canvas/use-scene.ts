import type { Application } from 'pixi.js';
import { useEffect, useRef, useState } from 'react';
import type { Surface } from './canvas-surface.tsx';
import { pixelRatio } from './pixel-ratio.ts';
import { PixiScene } from './scene/pixi-scene.ts';
import type { Scene, SceneOptions } from './scene/scene.ts';
import { cssFont, type TextStyle } from './scene/text/text-style.ts';

const styles: readonly TextStyle[] = ['title', 'model', 'state'];
/** The letters of the page's language. Fonts of other scripts are loaded when a card needs them. */
const samples = { ru: 'AaБб0…·', en: 'Aa0…·' } as const;

/**
 * Loads the page's typeface. Resolves when the letters of the page's language can be drawn. Never rejects: text falls back to the system's
 * font.
 */
async function loadFonts(): Promise<void> {
  const sample = document.documentElement.lang === 'en' ? samples.en : samples.ru;
  await Promise.allSettled(styles.map((style) => document.fonts.load(cssFont(style), sample)));
}

type UseSceneOptions = Omit<SceneOptions, 'app' | 'isMotionOff' | 'onFault'> & {
  onScene: ((scene: Scene) => void) | undefined;
  onFault: () => void;
};

/** Makes a scene once the surface and the fonts are ready, and passes on what changes. */
export function useScene(surface: Surface | null, options: UseSceneOptions): void {
  const { store, view, index, palette, texts, ports, onScene, onFault } = options;
  const latest = useRef(options);
  latest.current = options;
  const [scene, setScene] = useState<Scene | null>(null);

  useEffect(() => {
    if (!surface) return;
    const { app, scene: current } = surface;
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    let isGone = false;
    const fail = (error: unknown) => {
      reportError(error);
      onFault();
    };
    const create = () => {
      if (isGone || !app.renderer) return;
      const { palette, texts, ports } = latest.current;
      const isMotionOff = () => view.isStatic || reducedMotion.matches;
      resize(app, view.ephemeral.size);
      const made = new PixiScene({ app, store, view, index, palette, texts, ports, isMotionOff, onFault: fail });
      current.set(made);
      setScene(made);
    };
    // Text measured with a fallback font would be cut at the wrong places.
    loadFonts().then(create).catch(fail);
    return () => {
      isGone = true;
      current.get()?.dispose();
      current.set(null);
      setScene(null);
    };
  }, [surface, store, view, index, onFault]);

  useEffect(() => {
    if (!surface || !scene) return;
    const { app } = surface;
    const fit = () => {
      if (!app.renderer) return;
      resize(app, view.ephemeral.size);
      scene.redraw();
    };
    const refine = () => {
      fit();
      scene.textChanged();
    };
    const stopView = view.subscribe((_state, changed) => {
      // Some browsers do not report each change of the density.
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
  }, [surface, scene, view]);

  useEffect(() => scene?.setPalette(palette), [scene, palette]);
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
