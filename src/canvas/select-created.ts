import type { CommandResult } from '../model/commands.ts';
import type { CanvasView } from './canvas-view.ts';

/** Selects the cards that a command has created. Keeps the selection if it created none. */
export function selectCreated(view: CanvasView, made: CommandResult): void {
  if (made?.nodeIds?.length) view.update({ selectedNodes: new Set(made.nodeIds), selectedLinks: new Set() });
}
