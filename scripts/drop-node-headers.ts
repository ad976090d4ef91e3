import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * After an install: removes the C++ headers that come with the package `node` (67 MB, more than half of its program). Nothing here
 * compiles against them; should something ever do, a compiler fetches its own.
 */
const modules = join(import.meta.dirname, '..', 'node_modules');

for (const folder of [modules, join(modules, 'node', 'node_modules')]) {
  if (!existsSync(folder)) continue;
  for (const name of readdirSync(folder).filter((one) => /^node-(linux|darwin|win)-/.test(one))) {
    rmSync(join(folder, name, 'include'), { recursive: true, force: true });
  }
}
