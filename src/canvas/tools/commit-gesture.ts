import type { Patch } from 'immer';
import type { Dispatch, DocumentCommand } from '../../model/commands.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import type { CanvasView, EphemeralState } from '../canvas-view.ts';
import { selectCreated } from '../select-created.ts';

/**
 * Sends the command of a finished gesture. Removes the preview in the same task in which the document changes, so that cards do not jump
 * back in between. A refused or failed command removes it immediately.
 */
export function commitGesture(
  command: DocumentCommand,
  { store, view, dispatch }: { store: WorkspaceStore; view: CanvasView; dispatch: Dispatch },
): void {
  const { drag, linkDraft } = view.ephemeral;
  const release = () => {
    unsubscribe();
    const changes: Partial<EphemeralState> = {};
    // A gesture that has begun since then has its own preview.
    if (drag && view.ephemeral.drag === drag) changes.drag = null;
    if (linkDraft && view.ephemeral.linkDraft === linkDraft) changes.linkDraft = null;
    view.update(changes);
  };
  const unsubscribe = store.subscribe((_state, patches) => {
    if (patches === null || patches.some((patch) => concerns(command, patch))) release();
  });
  dispatch(command).then((outcome) => {
    release();
    if (outcome.ok && command.type === 'nodes.duplicate') selectCreated(view, store, outcome.value);
  }, release);
}

function concerns(command: DocumentCommand, { path }: Patch): boolean {
  if (path[0] !== 'document') return path.length === 0;
  if (command.type === 'link.add') return path[1] !== 'nodes';
  if (command.type !== 'node.move') return true;
  return path[1] === undefined || (path[1] === 'nodes' && (path[2] === undefined || path[2] === command.moves[0]?.id));
}
