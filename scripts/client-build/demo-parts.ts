import type { Manifest } from './built-pieces.ts';

const areas = ['common', 'workspace', 'canvas', 'actions', 'errors', 'console'];

const parts = ['router', 'routes/page-loading', 'routes/with-tooltips', 'routes/demo-route'].map((name) => `src/app/${name}.tsx`);
/** What PixiJS asks for when it is about to draw. */
const drawing = '/gl/WebGLRenderer.mjs';

/** What the page of the public demonstration is made of, one after the other as each asks for the next. */
export function demoParts(manifest: Manifest): string[] {
  return [...parts, ...Object.keys(manifest).filter((name) => name.endsWith(drawing))];
}

/** The texts that it is drawn with. */
export function demoTexts(language: string): string[] {
  return areas.map((area) => `locales/${language}/${area}.json`);
}
