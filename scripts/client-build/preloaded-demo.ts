import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { demoPageFile } from '../../server/http/page-files.ts';
import { afterBuild } from './after-build.ts';
import { builtPieces, type Manifest } from './built-pieces.ts';

/** What the page of the public demonstration is made of, one after the other as each asks for the next. */
const parts = ['router', 'routes/page-loading', 'routes/with-tooltips', 'routes/demo-route'].map((name) => `src/app/${name}.tsx`);
/** What PixiJS asks for when it is about to draw. */
const drawing = '/gl/WebGLRenderer.mjs';

/** Beside the client's page, which names only what every page begins with, a build writes the demonstration's, which names its address and all of its scripts and styles. */
export function preloadedDemo(): Plugin {
  return afterBuild('artel:preloaded-demo', async (dist) => {
    const shell = await readFile(join(dist, 'index.html'), 'utf8');
    const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
    const { scripts, styles } = builtPieces(manifest, [...parts, ...Object.keys(manifest).filter((name) => name.endsWith(drawing))]);
    const links = [
      '<link rel="canonical" href="/public-test" />',
      ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`),
      ...styles.map((file) => `<link rel="preload" as="style" crossorigin href="/${file}" />`),
    ].filter((link) => !shell.includes(hrefOf(link)));
    await mkdir(join(dist, demoPageFile, '..'), { recursive: true });
    await writeFile(
      join(dist, demoPageFile),
      shell.replace('  </head>', () => `${links.map((link) => `    ${link}\n`).join('')}  </head>`),
    );
  });
}

function hrefOf(link: string): string {
  return /href="[^"]*"/.exec(link)?.[0] ?? '';
}
