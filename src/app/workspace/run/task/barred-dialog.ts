import { isRunActive, type WorkspaceState } from '../../../../model/workspace-state.ts';
import type { NodeCounts } from '../../frame/node-counts.ts';
import { foreseenStart, lastTaskOf, type StartHints } from '../start/start-choice.ts';

/**
 * Returns the dialog that the bar writes for: the one that Start begins with; during a run the selected one, else that of the run. Null where
 * Start begins with none.
 */
export function barredDialog(
  { document, run }: Pick<WorkspaceState, 'document' | 'run'>,
  { dialogs, starts }: Pick<NodeCounts, 'dialogs' | 'starts'>,
  hints: Omit<StartHints, 'last'>,
): string | null {
  const { dialog } = isRunActive(run)
    ? foreseenStart(document, { dialogs, starts: new Set() }, { ...hints, chosen: run.execution?.dialogNodeId ?? hints.chosen, last: null })
    : foreseenStart(document, { dialogs, starts }, { ...hints, last: lastTaskOf(run) });
  return dialog?.id ?? null;
}
