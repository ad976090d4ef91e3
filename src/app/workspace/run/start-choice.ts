import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { ownGoal } from '../../../model/run/own-goal.ts';
import { byPlace } from '../../../model/run/starters/resolve-dialog-target.ts';
import { leadingStarts } from '../../../model/run/starters/starters-of.ts';
import type { RunState } from '../../../model/workspace-state.ts';
import type { NodeCounts } from '../node-counts.ts';

/** What Start does. */
export type StartChoice =
  | { kind: 'noAgents' }
  /** Starts one dialog with its unsent text, its last task or its goal. `again`: it ran last. */
  | { kind: 'run'; dialogNodeId: string; task: string; again?: true }
  /** Asks for the task and suggests the last one: for a dialog without text and goal of its own, for a start node, or for the whole canvas. */
  | { kind: 'askTask'; dialogNodeId: string | null; startNodeId?: string; task?: string; hint?: string }
  | { kind: 'chooseDialog'; dialogs: CanvasNode[] };

/** The task of the last shown run. */
type LastTask = { dialogNodeId: string | null; task: string };

export function lastTaskOf({ execution, outcome }: Pick<RunState, 'execution' | 'outcome'>): LastTask | null {
  return execution && outcome ? { dialogNodeId: execution.dialogNodeId, task: execution.initialTask } : null;
}

/**
 * Chooses the selected dialog, else the one that the selected start node leads to, else the last run one, else the only one. Otherwise it
 * asks.
 * A selected start node without a dialog runs its successors; one that leads nowhere yet counts as not selected. Without a dialog it asks for the task. R24
 */
export function startChoice(
  { nodes, connections }: CanvasDocument,
  counts: Pick<NodeCounts, 'agents' | 'dialogs' | 'starts'>,
  selected: ReadonlySet<string>,
  draftOf: (dialogNodeId: string) => string,
  last: LastTask | null = null,
): StartChoice {
  if (counts.agents === 0) return { kind: 'noAgents' };
  const dialogs = [...counts.dialogs].flatMap((id) => nodes[id] ?? []).sort(byPlace);
  const chosen = dialogs.filter((node) => selected.has(node.id));
  const starts = counts.starts.size === 0 ? [] : leadingStarts({ nodes, connections }).flatMap(({ id }) => (selected.has(id) ? id : []));
  const start = chosen.length === 0 && starts.length === 1 ? starts[0] : undefined;
  const next = start && Object.values(connections).flatMap(({ from, to }) => (from.agentId === start ? [to.agentId] : []));
  const led = next ? dialogs.filter(({ id }) => next.includes(id)) : [];
  if (start && led.length === 0) return askTask(null, last, start);

  const candidates = chosen.length > 0 ? chosen : led.length > 0 ? led : dialogs;
  const ranLast = candidates.find(({ id }) => id === last?.dialogNodeId);
  const dialog = candidates.length === 1 ? candidates[0] : chosen.length === 0 ? ranLast : undefined;
  if (dialog) {
    const lastTask = last?.dialogNodeId === dialog.id ? last.task : '';
    const task = draftOf(dialog.id).trim() || lastTask || ownGoal(dialog);
    if (!task) return { ...askTask(dialog.id, last), ...(dialog.goal?.trim() && { hint: dialog.goal.trim() }) };
    return { kind: 'run', dialogNodeId: dialog.id, task, ...(task === lastTask && { again: true }) };
  }
  if (candidates.length > 1) return { kind: 'chooseDialog', dialogs: candidates };
  return askTask(null, last);
}

function askTask(dialogNodeId: string | null, last: LastTask | null, startNodeId?: string): StartChoice {
  return {
    kind: 'askTask',
    dialogNodeId,
    ...(startNodeId !== undefined && { startNodeId }),
    ...(last && last.dialogNodeId === dialogNodeId && { task: last.task }),
  };
}

/** Whether Start repeats the shown run; it begins another one with a draft, or with another dialog or start card. */
export function isAgain(choice: StartChoice): boolean {
  if (choice.kind === 'run') return choice.again === true;
  return choice.kind === 'noAgents' || (choice.kind === 'askTask' && choice.task !== undefined && choice.startNodeId === undefined);
}
