import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `/api` is answered while the client is served by Vite alone; `npm run dev` sets it to the server that it starts. */
const apiOrigin = process.env.ARTEL_DEV_API ?? 'http://localhost:5001';

export default defineConfig({
  plugins: [react()],
  // The stylesheets use light-dark() and nesting: these are the first browsers that know both.
  build: { target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'], manifest: true, chunkSizeWarningLimit: 900 },
  worker: { format: 'es' },
  server: {
    proxy: { '/api': { target: apiOrigin, ws: true }, '/health': { target: apiOrigin } },
  },
});
