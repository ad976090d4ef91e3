import type { Plugin } from 'vite';

/** The file through which all of PixiJS is imported, and the one that has it evaluate no text. */
const index = '/pixi.js/lib/index.mjs';
const unsafeEval = '/pixi.js/lib/unsafe-eval/init.mjs';
/** Of WebGPU and of particles, which the client has not. */
const unused = ['GpuUboSystem', 'ParticleBuffer'];

/** Has a build take of PixiJS what is imported of it by name: its index besides registers all that it could draw, and so brings it along. */
export function leanPixi(): Plugin {
  return {
    name: 'artel:lean-pixi',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith(index)) return { code: withoutSideEffects(code), map: null };
      if (id.endsWith(unsafeEval)) return { code: unused.reduce(withoutClass, code), map: null };
      return null;
    },
  };
}

/** Imports for what they do, and the extensions of the environments that these do for. */
function withoutSideEffects(code: string): string {
  return code
    .split('\n')
    .filter((line) => !line.startsWith("import '") && !line.startsWith('extensions.add('))
    .join('\n');
}

/** Leaves out a class's import, and the statement that gives it methods. Throws when PixiJS no longer has them so. */
function withoutClass(code: string, name: string): string {
  const imported = cut(code, `import { ${name} }`, '\n');
  return cut(imported, `  Object.assign(${name}.prototype, {`, '  });\n');
}

function cut(code: string, start: string, end: string): string {
  const from = code.indexOf(start);
  const to = code.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`PixiJS has no "${start}" any more`);
  return code.slice(0, from) + code.slice(to + end.length);
}
