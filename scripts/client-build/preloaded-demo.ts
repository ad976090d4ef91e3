import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { afterBuild } from './after-build.ts';
import { builtPieces, type Manifest } from './built-pieces.ts';
import { demoPage, writeClientPage } from './client-pages.ts';

/** What the page of the public demonstration is made of, one after the other as each asks for the next. */
const parts = ['router', 'routes/page-loading', 'routes/with-tooltips', 'routes/demo-route'].map((name) => `src/app/${name}.tsx`);

/** The demonstration's page names all of its scripts and styles, so that the browser can fetch it whole. */
export function preloadedDemo(): Plugin {
  return afterBuild('artel:preloaded-demo', async (dist, { root }) => {
    const shell = await readFile(join(dist, 'index.html'), 'utf8');
    const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
    const { scripts, styles } = builtPieces(manifest, parts);
    const links = [
      ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`),
      ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="/${file}" />`),
    ].filter((link) => !shell.includes(hrefOf(link)));
    await writeClientPage(dist, root, demoPage, links);
  });
}

function hrefOf(link: string): string {
  return /href="[^"]*"/.exec(link)?.[0] ?? '';
}
