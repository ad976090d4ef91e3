import type { CommandResult } from '../model/commands.ts';
import type { WorkspaceStore } from '../model/workspace-store.ts';
import type { CanvasView } from './canvas-view.ts';
import { openGroups } from './folding/open-groups.ts';

/** Selects the cards that a command has created, and opens folded groups that they lie in. Keeps the selection if it created none. */
export function selectCreated(view: CanvasView, store: WorkspaceStore, made: CommandResult): void {
  if (!made?.nodeIds?.length) return;
  openGroups(view, store, made.nodeIds);
  view.update({ selectedNodes: new Set(made.nodeIds), selectedLinks: new Set() });
}
