import { resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

/** Runs `work` on the client's folder after a successful build; not for a dev server or a prerendering build. */
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
