import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { landingPageFile } from '../../server/http/page-files.ts';
import type { PrerenderedLanding } from '../../src/app/prerendered-landing.ts';
import { afterBuild } from './after-build.ts';
import { builtPieces, type Manifest } from './built-pieces.ts';
import { landingDocument } from './landing-document.ts';

const entry = 'src/app/prerender-landing.tsx';
const firstScreen = 'src/app/landing-app.tsx';
/** Drawn with the first screen, and taken over by script after it. */
const laterParts = ['src/landing/landing-sections.tsx', 'src/landing/landing-footer.tsx'];

/** Beside the client's page, which is empty until its script has run, a build writes the landing page in each language. */
export function prerenderedLanding(): Plugin {
  return afterBuild('artel:prerendered-landing', async (dist, config) => writeLandingPages(dist, await render(config)));
}

async function writeLandingPages(dist: string, pages: readonly PrerenderedLanding[]): Promise<void> {
  const shell = await readFile(join(dist, 'index.html'), 'utf8');
  const boot = await readFile(join(dist, 'boot.js'), 'utf8');
  const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const linked = [...shell.matchAll(/<link rel="stylesheet"[^<>]* href="([^"<>]+)"/g)].map(([, href = '']) => href);
  const parts = builtPieces(manifest, [firstScreen, ...laterParts]).styles.map((file) => `/${file}`);
  const hrefs = [...new Set([...linked, ...parts])];
  const styles = await Promise.all(hrefs.map(async (href) => ({ href, css: await readFile(join(dist, href), 'utf8') })));
  for (const page of pages) {
    const texts = ['common', 'landing'].map((area) => `locales/${page.language}/${area}.json`);
    const scripts = builtPieces(manifest, [firstScreen, ...texts]).scripts.map((file) => `/${file}`);
    const file = join(dist, landingPageFile(page.language));
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, landingDocument(shell, { ...page, styles, boot, scripts: scripts.filter((href) => !shell.includes(href)) }));
  }
}

/** Builds the page's own components for Node, runs them once, and leaves nothing of that behind. */
async function render({ root, mode, envDir }: ResolvedConfig): Promise<PrerenderedLanding[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'artel-prerender-'));
  try {
    await build({
      ...{ root, mode, envDir, configFile: false, publicDir: false, logLevel: 'error', plugins: [react()] },
      build: { ssr: entry, outDir, emptyOutDir: true, rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } } },
      ssr: { noExternal: true },
    });
    const file: { prerenderLanding: () => Promise<PrerenderedLanding[]> } = await import(pathToFileURL(join(outDir, 'prerender.mjs')).href);
    return await file.prerenderLanding();
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
