import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Returns a package that is loaded at its first use: a server starts sooner, and holds less memory, without what it does not need yet. For CommonJS packages
 * whose users cannot wait for an `import()`.
 *
 *     const iconv = lazily<typeof import('iconv-lite')>('iconv-lite');
 *     iconv().decode(bytes, 'CP866');
 */
export function lazily<Package>(name: string): () => Package {
  let loaded: Package | null = null;
  return () => {
    loaded ??= load(name) as Package;
    return loaded;
  };
}
