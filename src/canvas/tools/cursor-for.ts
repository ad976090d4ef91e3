import type { Hover } from '../canvas-view.ts';
import type { Tool } from './tool.ts';

/** The CSS cursor that says what a press would do, or what the gesture under way does. */
export function cursorFor(tool: Tool, hover: Hover | null, options: { editable: boolean; pans: boolean }): string {
  switch (tool.kind) {
    case 'pan':
    case 'pinch':
    case 'move':
      return 'grabbing';
    case 'link':
      return 'crosshair';
    case 'press':
    case 'idle':
      return cursorOver(hover, options);
  }
}

function cursorOver(hover: Hover | null, { editable, pans }: { editable: boolean; pans: boolean }): string {
  if (pans || hover === null) return 'grab';
  if (hover.kind === 'port' && hover.port === 'out' && editable) return 'crosshair';
  return hover.kind === 'link' ? 'pointer' : 'default';
}
