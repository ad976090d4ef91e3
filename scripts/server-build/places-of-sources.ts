import { posix, sep } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Gives each module of a bundle the place of its source, from the bundle's own: it reads files and starts threads there. The bundle and the
 * sources can be moved together. `program` reads the place of the bundle.
 */
export function placesOfSources(root: string, program: string): Plugin {
  const base = `${slashed(root)}/`;
  const place = (path: string) => JSON.stringify(path.slice(base.length));
  return {
    name: 'places-of-sources',
    enforce: 'pre',
    transform: (code, id) => {
      const source = slashed(id);
      if (!source.startsWith(base) || source === slashed(program) || !/import\.meta\.|__dirname|__filename/.test(code)) return null;
      const moved = code
        .replaceAll(/\bimport\.meta\.dirname\b|\b__dirname\b/g, `__artelSource.path(${place(posix.dirname(source))})`)
        .replaceAll(/\bimport\.meta\.filename\b|\b__filename\b/g, `__artelSource.path(${place(source)})`)
        .replaceAll(/\bimport\.meta\.url\b/g, `__artelSource.url(${place(source)})`);
      return { code: moved, map: null };
    },
  };
}

/** A path as Vite writes the ids of modules: on Windows too it has slashes. */
export function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

/** What each file of the bundle begins with. `toRoot` leads from its folder to that of the sources. */
export function sourcePlaces(toRoot: string): string {
  const path = JSON.stringify(toRoot.split(sep).join('/'));
  return `import { join as __artelJoin } from 'node:path';
import { pathToFileURL as __artelToUrl } from 'node:url';
const __artelSource = {
  path: (place) => __artelJoin(import.meta.dirname, ${path}, place),
  url: (place) => __artelToUrl(__artelSource.path(place)).href,
};`;
}
