import { join } from 'node:path';
import type { Plugin } from 'vite';
import { slashed } from './places-of-sources.ts';

/** Puts drizzle into the bundle. The server loads its CommonJS modules, since only Node links its ES modules slowly. */
export function drizzleInBundle(root: string): Plugin {
  const loader = slashed(join(root, 'server', 'platform', 'database', 'drizzle.ts'));
  return {
    name: 'drizzle-in-bundle',
    enforce: 'pre',
    transform: (code, id) =>
      slashed(id) === loader
        ? {
            code: code.replaceAll(/^const (\w{1,40}) = load\('([^'\n]{1,80})'\) as [^;\n]{1,120};$/gm, "import * as $1 from '$2';"),
            map: null,
          }
        : null,
  };
}
