import { join } from 'node:path';
import { build, type ResolvedConfig } from 'vite';

/** Builds one of `src/prerender/begin` as the text of an inline script. */
export async function inlineScript({ root, mode, envDir, build: { target } }: ResolvedConfig, name: string): Promise<string> {
  const built = await build({
    ...{ root, mode, envDir, configFile: false, publicDir: false, logLevel: 'error' },
    build: {
      ...{ target, write: false, modulePreload: false },
      rolldownOptions: { input: join(root, 'src/prerender/begin', `${name}.ts`), output: { format: 'iife' } },
    },
  });
  const [script, ...others] = 'output' in built ? built.output : [];
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${name} is more than one script`);
  return script.code;
}
