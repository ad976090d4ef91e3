import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chapterNames } from './docs/.vitepress/chapters.ts';
import { buildId } from './scripts/client-build/build-id.ts';
import { pagesByAddress } from './scripts/client-build/client-pages.ts';
import { compressedFiles } from './scripts/client-build/compressed-files.ts';
import { helpSite } from './scripts/client-build/help-site.ts';
import { iconsWithoutKeys } from './scripts/client-build/icons-without-keys.ts';
import { onlyWebGl } from './scripts/client-build/only-webgl.ts';
import { pageChunks } from './scripts/client-build/page-chunks.ts';
import { prerenderedPages } from './scripts/client-build/prerendered-pages.ts';
import { withoutJsonSchema } from './scripts/client-build/without-json-schema.ts';

/** Where calls are answered while the client is served by Vite alone; `npm run dev` sets it to the server that it starts. */
const apiOrigin = process.env.ARTEL_DEV_API ?? 'http://localhost:5001';

export default defineConfig({
  plugins: [
    react(),
    iconsWithoutKeys(),
    onlyWebGl(),
    withoutJsonSchema(),
    buildId(),
    prerenderedPages(),
    pagesByAddress(),
    compressedFiles(),
    helpSite(),
  ],
  // The chapters of the help that are there in Russian.
  define: { 'import.meta.env.VITE_RUSSIAN_CHAPTERS': JSON.stringify(chapterNames('ru').join(' ')) },
  css: { modules: { generateScopedName } },
  // The page loads the texts of an area as one object; an export for each of its groups would only add bytes.
  json: { namedExports: false },
  // The stylesheets use light-dark() and nesting: these are the first browsers that know both.
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The packages in the pieces, with their licences: the package has them.
    license: true,
    chunkSizeWarningLimit: 1_200,
    // What every page begins with comes in one piece, not in one for each file that other pieces need too; so do the largest pages.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'start', tags: ['$initial'], test: /^(?!.*(main\.tsx|index\.html)$)/, priority: 9 }, ...pageChunks()],
        },
      },
    },
  },
  worker: { format: 'es', plugins: () => [withoutJsonSchema()] },
  // Benchmarks have pages too, whose packages are not installed here.
  optimizeDeps: { entries: ['index.html'] },
  server: {
    proxy: { '^/(api|hooks|mcp|live|ready|health|metrics)(?=[/?]|$)': { target: apiOrigin, ws: true } },
  },
});

/** The name of a class in the built page. Vite's own adds the line of the class, which costs 1 kB of the demonstration. */
function generateScopedName(name: string, _file: string, css: string): string {
  return `_${name}_${createHash('sha256').update(css).digest('base64url').slice(0, 5)}`;
}
