import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serveClient } from '../../scripts/serve-client.ts';

/** The page without a server, for browser tests that need none; builds the client when nobody did. */
const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');

if (!existsSync(join(dist, 'index.html'))) {
  const vite = spawnSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: root, stdio: 'inherit' });
  if (vite.status !== 0) process.exit(1);
}
const { url } = await serveClient(dist);
console.log(`Serving the client on ${url}`);
