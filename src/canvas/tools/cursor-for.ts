import type { Hover } from '../canvas-view.ts';
import type { Tool } from './tool.ts';

type CursorOptions = {
  editable: boolean;
  /** The space bar is held. */
  pans: boolean;
  /** The drag moves copies. */
  copies: boolean;
  /** A drag on empty canvas draws a marquee. */
  canSelectByMarquee: boolean;
};

/** Returns the CSS cursor for what a press would do, or for the current gesture. */
export function cursorFor(tool: Tool, hover: Hover | null, options: CursorOptions): string {
  switch (tool.kind) {
    case 'pan':
    case 'pinch':
      return 'grabbing';
    case 'move':
      return options.copies ? 'copy' : 'grabbing';
    case 'link':
      return 'crosshair';
    case 'marquee':
      return 'default';
    case 'press':
    case 'idle':
      return cursorOver(hover, options);
  }
}

function cursorOver(hover: Hover | null, { editable, pans, canSelectByMarquee }: CursorOptions): string {
  if (pans) return 'grab';
  if (hover === null) return canSelectByMarquee ? 'default' : 'grab';
  if (hover.kind === 'port' && hover.port === 'out' && editable) return 'crosshair';
  return hover.kind === 'link' || (hover.kind === 'node' && hover.part) ? 'pointer' : 'default';
}
