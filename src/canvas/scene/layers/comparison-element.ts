import { extend, type PixiReactElementProps } from '@pixi/react';
import { ComparisonLayer } from './comparison-layer.ts';

/** Registers the layer with the reconciler. It has a script of its own: most canvases are never compared. */
extend({ ComparisonLayer });

declare module '@pixi/react' {
  interface PixiElements {
    pixiComparisonLayer: PixiReactElementProps<typeof ComparisonLayer>;
  }
}
