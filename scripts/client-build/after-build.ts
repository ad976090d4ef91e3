import { resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

/** Does `work` with the built client's folder when a build of the client has come through; not while it is served or built for prerendering. */
export function afterBuild(name: string, work: (dist: string, config: ResolvedConfig) => Promise<void>): Plugin {
  let config: ResolvedConfig;
  return {
    name,
    apply: (_, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved(resolved) {
      config = resolved;
    },
    async closeBundle(error) {
      if (!error) await work(resolve(config.root, config.build.outDir), config);
    },
  };
}
