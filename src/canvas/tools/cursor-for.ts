import type { Hover } from '../canvas-view.ts';
import type { Tool } from './tool.ts';

type CursorOptions = {
  editable: boolean;
  /** The space bar is held. */
  pans: boolean;
  /** Copies are dragged. */
  copies: boolean;
  /** A drag on empty canvas draws the band that selects. */
  bands: boolean;
};

/** The CSS cursor that says what a press would do, or what the gesture under way does. */
export function cursorFor(tool: Tool, hover: Hover | null, options: CursorOptions): string {
  switch (tool.kind) {
    case 'pan':
    case 'pinch':
      return 'grabbing';
    case 'move':
      return options.copies ? 'copy' : 'grabbing';
    case 'link':
      return 'crosshair';
    case 'band':
      return 'default';
    case 'press':
    case 'idle':
      return cursorOver(hover, options);
  }
}

function cursorOver(hover: Hover | null, { editable, pans, bands }: CursorOptions): string {
  if (pans) return 'grab';
  if (hover === null) return bands ? 'default' : 'grab';
  if (hover.kind === 'port' && hover.port === 'out' && editable) return 'crosshair';
  return hover.kind === 'link' ? 'pointer' : 'default';
}
