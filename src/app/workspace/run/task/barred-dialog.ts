import type { WorkspaceState } from '../../../../model/workspace-state.ts';

/**
 * Returns the dialog that the message bar writes for: the selected one, else the one that the next run begins with, else the first one. Null
 * without a dialog.
 */
export function barredDialog(
  { document: { nodes }, participation, run }: Pick<WorkspaceState, 'document' | 'participation' | 'run'>,
  dialogs: ReadonlySet<string>,
  selected: ReadonlySet<string>,
): string | null {
  const chosen = [...selected].filter((id) => dialogs.has(id));
  if (chosen.length === 1) return chosen[0] ?? null;
  const wanted = [participation.dialogNodeId, run.execution?.dialogNodeId].find((id) => id && dialogs.has(id) && nodes[id]);
  return wanted ?? [...dialogs][0] ?? null;
}
