import type { Plugin } from 'vite';

/** PixiJS's other renderers, and the lists of its extensions, which it imports unless it is told to skip them. */
const unused =
  /\/pixi\.js\/lib\/(?:rendering\/renderers\/(?:gpu\/WebGPU|canvas\/Canvas)Renderer|environment-(?:browser\/browser|webworker\/webworker)All)\.mjs$/;

/**
 * Leaves out of a build what the canvas never loads of PixiJS: it draws by WebGL alone, without extensions, and shows a page of its own where
 * there is no WebGL. The bundler would keep each module that they share with the rest in the first piece of the page.
 */
export function onlyWebGl(): Plugin {
  return {
    name: 'artel:only-webgl',
    apply: 'build',
    transform: { filter: { id: unused }, handler: () => 'export const WebGPURenderer = null, CanvasRenderer = null;' },
  };
}
