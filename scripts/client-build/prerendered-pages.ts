import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { landingPageFile, pageFile } from '../../server/http/pages/page-files.ts';
import type { PrerenderedLanding } from '../../src/app/prerendered-landing.ts';
import type { PrerenderedDemo } from '../../src/prerender/prerender-demo.tsx';
import { afterBuild } from './after-build.ts';
import { builtPieces, type Manifest } from './built-pieces.ts';
import { demoPage, pageHead } from './client-pages.ts';
import { demoParts, demoTexts } from './demo-parts.ts';
import { type PrerenderedPage, prerenderedDocument } from './prerendered-document.ts';

/** The module that renders the pages, run once. */
const entries = { landing: 'src/app/prerender-landing.tsx', demo: 'src/prerender/prerender-demo.tsx' };

const landing = {
  firstScreen: ['src/app/landing-app.tsx'],
  /** Drawn with the first screen, and taken over by script after it. */
  laterParts: ['src/landing/picture/product-picture.tsx', 'src/landing/landing-sections.tsx', 'src/landing/landing-footer.tsx'],
  texts: (language: string) => ['common', 'landing'].map((area) => `locales/${language}/${area}.json`),
};

/**
 * Writes the pages of visitors in each language, since the client's own page is empty until its script has run. The landing page is written
 * whole, the demonstration behind a picture of it.
 */
export function prerenderedPages(): Plugin {
  return afterBuild('artel:prerendered-pages', async (dist, config) => {
    const built = await readBuilt(dist);
    const { landings, demos } = await render(config);
    const begin = { page: await inlineScript(config, 'begin-page'), demo: await inlineScript(config, 'begin-demo') };
    for (const page of landings) {
      await writePage(dist, landingPageFile(page.language), {
        ...page,
        path: '/',
        open: true,
        place: 'root' as const,
        boot: built.boot,
        begin: begin.page,
        shell: built.shell,
        styles: await built.styles([...landing.firstScreen, ...landing.laterParts]),
        scripts: built.scripts([...landing.firstScreen, ...landing.texts(page.language)]),
      });
    }
    for (const { language, markup } of demos) {
      await writePage(dist, pageFile(language, demoPage), {
        ...(await pageHead(config.root, demoPage, language)),
        markup,
        place: 'still' as const,
        boot: built.boot,
        begin: begin.demo,
        shell: built.shell,
        styles: await built.styles(built.demoParts),
        scripts: built.scripts([...built.demoParts, ...demoTexts(language)]),
      });
    }
  });
}

async function writePage(dist: string, name: string, { shell, ...page }: PrerenderedPage & { shell: string }): Promise<void> {
  const file = join(dist, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, prerenderedDocument(shell, page));
}

/**
 * The chunks of the client's build: the styles that some of them need, the page's own first, and the scripts that its page does not name
 * itself.
 */
async function readBuilt(dist: string) {
  const shell = await readFile(join(dist, 'index.html'), 'utf8');
  const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const linked = [...shell.matchAll(/<link rel="stylesheet"[^<>]* href="([^"<>]+)"/g)].map(([, href = '']) => href);
  return {
    shell,
    boot: await readFile(join(dist, 'boot.js'), 'utf8'),
    demoParts: demoParts(manifest),
    styles(pieces: readonly string[]) {
      const hrefs = [...new Set([...linked, ...builtPieces(manifest, pieces).styles.map((file) => `/${file}`)])];
      return Promise.all(hrefs.map(async (href) => ({ href, css: await readFile(join(dist, href), 'utf8') })));
    },
    scripts: (pieces: readonly string[]) =>
      builtPieces(manifest, pieces)
        .scripts.map((file) => `/${file}`)
        .filter((href) => !shell.includes(href)),
  };
}

/** Settings of a build beside that of the client: with its names of classes, without its plugins, and quiet. */
function apart({ root, mode, envDir, css: { modules } }: ResolvedConfig) {
  return { root, mode, envDir, css: { modules }, configFile: false, publicDir: false, logLevel: 'error' } as const;
}

/** Builds the pages' own components for Node, runs them once, and removes that build. */
async function render(config: ResolvedConfig): Promise<{ landings: PrerenderedLanding[]; demos: PrerenderedDemo[] }> {
  const outDir = await mkdtemp(join(tmpdir(), 'artel-prerender-'));
  try {
    await build({
      ...apart(config),
      plugins: [react()],
      build: { ssr: true, outDir, emptyOutDir: true, rolldownOptions: { input: entries, output: { entryFileNames: '[name].mjs' } } },
      ssr: { noExternal: true },
    });
    const load = (name: keyof typeof entries) => import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
    const { prerenderLanding }: { prerenderLanding: () => Promise<PrerenderedLanding[]> } = await load('landing');
    const landings = await prerenderLanding();
    const { prerenderDemo }: { prerenderDemo: () => Promise<PrerenderedDemo[]> } = await load('demo');
    return { landings, demos: await prerenderDemo() };
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Builds one of `src/prerender/begin` as the text of an inline script. */
async function inlineScript(config: ResolvedConfig, name: string): Promise<string> {
  const built = await build({
    ...apart(config),
    build: {
      target: config.build.target,
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(config.root, 'src/prerender/begin', `${name}.ts`), output: { format: 'iife' } },
    },
  });
  const [script, ...others] = 'output' in built ? built.output : [];
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${name} is more than one script`);
  return script.code;
}
