import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './scripts/client-build/compressed-files.ts';
import { landingPieces } from './scripts/client-build/landing-pieces.ts';
import { prerenderedLanding } from './scripts/client-build/prerender-landing.ts';

/** Where `/api` is answered while the client is served by Vite alone; `npm run dev` sets it to the server that it starts. */
const apiOrigin = process.env.ARTEL_DEV_API ?? 'http://localhost:5001';

export default defineConfig({
  plugins: [react(), prerenderedLanding(), compressedFiles()],
  // The stylesheets use light-dark() and nesting: these are the first browsers that know both.
  build: {
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    manifest: true,
    chunkSizeWarningLimit: 900,
    // What every page begins with comes in one piece, not in one for each file that other pieces need too; so does the landing page.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'start', tags: ['$initial'], test: /^(?!.*(main\.tsx|index\.html)$)/, priority: 2 }, ...landingPieces()],
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': { target: apiOrigin, ws: true }, '/health': { target: apiOrigin } },
  },
});
