import type { CanvasDocument, CanvasNode } from '../../../../../contract/canvas.ts';
import { ownGoal } from '../../../../model/run/own-goal.ts';
import { byPlace } from '../../../../model/run/starters/resolve-dialog-target.ts';
import { leadingStarts } from '../../../../model/run/starters/starters-of.ts';
import type { RunState } from '../../../../model/workspace-state.ts';
import type { NodeCounts } from '../../frame/node-counts.ts';

/** What Start does. */
export type StartChoice =
  | { kind: 'noAgents' }
  /** Starts one dialog with its unsent text, its last task or its goal. `again`: it ran last. */
  | { kind: 'run'; dialogNodeId: string; task: string; again?: true }
  /** Asks for the task and suggests the last one: for a dialog without text and goal of its own, for a start node, or for the whole canvas. */
  | { kind: 'askTask'; dialogNodeId: string | null; startNodeId?: string; task?: string; hint?: string };

/** The task of the last shown run. */
type LastTask = { dialogNodeId: string | null; task: string };

export function lastTaskOf({ execution, outcome }: Pick<RunState, 'execution' | 'outcome'>): LastTask | null {
  return execution && outcome ? { dialogNodeId: execution.dialogNodeId, task: execution.initialTask } : null;
}

type Counts = Pick<NodeCounts, 'agents' | 'dialogs' | 'starts'>;

/** What decides beside the canvas which dialog Start begins with. */
export type StartHints = {
  selected: ReadonlySet<string>;
  /** The dialog that was chosen, or written to, in the bar below the canvas; null before. */
  chosen: string | null;
  draftOf: (dialogNodeId: string) => string;
  last: LastTask | null;
};

/**
 * Returns what Start begins with: the selected dialog, else the one that the selected start node leads to. Otherwise the dialog that was chosen
 * in the bar, the only one with a draft, that of the last run, or the first one by place. A selected start node without a dialog runs its
 * successors; one that leads nowhere yet counts as not selected. R24
 */
export function foreseenStart(
  { nodes, connections }: CanvasDocument,
  counts: Omit<Counts, 'agents'>,
  { selected, chosen, draftOf, last }: StartHints,
): { dialog: CanvasNode | null; startNodeId?: string } {
  const dialogs = [...counts.dialogs].flatMap((id) => nodes[id] ?? []).sort(byPlace);
  const picked = dialogs.filter(({ id }) => selected.has(id));
  const isStartPicked = picked.length === 0 && [...counts.starts].some((id) => selected.has(id));
  const starts = isStartPicked ? leadingStarts({ nodes, connections }).filter(({ id }) => selected.has(id)) : [];
  const start = starts.length === 1 ? starts[0]?.id : undefined;
  const next = start && Object.values(connections).flatMap(({ from, to }) => (from.agentId === start ? [to.agentId] : []));
  const led = next ? dialogs.filter(({ id }) => next.includes(id)) : [];
  if (start && led.length === 0) return { dialog: null, startNodeId: start };

  const candidates = picked.length > 0 ? picked : led.length > 0 ? led : dialogs;
  const drafted = candidates.filter(({ id }) => draftOf(id).trim() !== '');
  const dialog =
    candidates.find(({ id }) => id === chosen) ??
    (drafted.length === 1 ? drafted[0] : candidates.find(({ id }) => id === last?.dialogNodeId)) ??
    candidates[0];
  return { dialog: dialog ?? null };
}

/** Returns what Start does: it begins with a task, or asks for one. R24 */
export function startChoice(document: CanvasDocument, counts: Counts, hints: StartHints): StartChoice {
  if (counts.agents === 0) return { kind: 'noAgents' };
  const { last, draftOf } = hints;
  const { dialog, startNodeId } = foreseenStart(document, counts, hints);
  if (!dialog) return askTask(null, last, startNodeId);
  const lastTask = last?.dialogNodeId === dialog.id ? last.task : '';
  const task = draftOf(dialog.id).trim() || lastTask || ownGoal(dialog);
  if (!task) return { ...askTask(dialog.id, last), ...(dialog.goal?.trim() && { hint: dialog.goal.trim() }) };
  return { kind: 'run', dialogNodeId: dialog.id, task, ...(task === lastTask && { again: true }) };
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
