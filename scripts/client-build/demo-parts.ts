import type { Manifest } from './built-pieces.ts';

const areas = ['common', 'words', 'workspace', 'canvas', 'actions', 'console'];

const parts = ['router', 'routes/page-loading', 'routes/with-tooltips', 'routes/demo-route'].map((name) => `src/app/${name}.tsx`);
/** The modules that PixiJS loads before it draws. */
const drawing = '/gl/WebGLRenderer.mjs';

/** The modules of the demo's page, in the order in which they load each other. */
export function demoParts(manifest: Manifest): string[] {
  return [...parts, ...Object.keys(manifest).filter((name) => name.endsWith(drawing))];
}

/** The texts that it is drawn with. */
export function demoTexts(language: string): string[] {
  return areas.map((area) => `locales/${language}/${area}.json`);
}
