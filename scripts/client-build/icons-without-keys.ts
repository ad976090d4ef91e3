import type { Plugin } from 'vite';

/** lucide's files, each with one icon. */
const iconFile = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;

/**
 * Removes the React keys from lucide's shapes in a build. Each key is a random text that does not compress, 3 kB over all icons in use.
 * An icon's shapes never change their order, so React does not need the keys; without them it only warns, and only in development.
 */
export function iconsWithoutKeys(): Plugin {
  return {
    name: 'artel:icons-without-keys',
    apply: 'build',
    transform: { filter: { id: iconFile }, handler: (code) => code.replaceAll(/,\s*key: "\w+"/g, '') },
  };
}
