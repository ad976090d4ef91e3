import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';
import { isAgentCard } from '../../../../rules/card.ts';
import { byPlace } from '../../../model/run/resolve-dialog-target.ts';
import type { RunState } from '../../../model/workspace-state.ts';

/** What pressing Start leads to. */
export type StartChoice =
  | { kind: 'noAgents' }
  /** One dialog is meant; its unsent text, its last task or its goal is the task. `again`: it is what ran last. */
  | { kind: 'run'; dialogNodeId: string; task: string; again?: true }
  /** The task is asked for, the last one suggested: of one dialog that has neither text nor goal, of what a start node leads to, or of the whole canvas. */
  | { kind: 'askTask'; dialogNodeId: string | null; startNodeId?: string; task?: string }
  | { kind: 'chooseDialog'; dialogs: CanvasNode[] };

/** The task of the run that was shown last. */
export type LastTask = { dialogNodeId: string | null; task: string };

export function lastTaskOf({ execution, outcome }: Pick<RunState, 'execution' | 'outcome'>): LastTask | null {
  return execution && outcome ? { dialogNodeId: execution.dialogNodeId, task: execution.initialTask } : null;
}

/**
 * The selected dialog, else the one that the selected start node leads to, else the one that ran last, else the only one, else asks
 * which. A selected start node that leads to no dialog runs what it leads to. Without a dialog the task is asked for. R24
 */
export function startChoice(
  { nodes, connections }: CanvasDocument,
  selected: ReadonlySet<string>,
  draftOf: (dialogNodeId: string) => string,
  last: LastTask | null = null,
): StartChoice {
  const all = Object.values(nodes);
  if (!all.some(isAgentCard)) return { kind: 'noAgents' };
  const dialogs = all.filter((node) => node.type === 'dialog').sort(byPlace);
  const chosen = dialogs.filter((node) => selected.has(node.id));
  const starts = all.filter((node) => node.type === 'start' && selected.has(node.id));
  const start = chosen.length === 0 && starts.length === 1 ? starts[0] : undefined;
  const next = start && Object.values(connections).flatMap(({ from, to }) => (from.agentId === start.id ? [to.agentId] : []));
  const led = next ? dialogs.filter(({ id }) => next.includes(id)) : [];
  if (start && led.length === 0) return askTask(null, last, start.id);

  const candidates = chosen.length > 0 ? chosen : led.length > 0 ? led : dialogs;
  const ranLast = candidates.find(({ id }) => id === last?.dialogNodeId);
  const dialog = candidates.length === 1 ? candidates[0] : chosen.length === 0 ? ranLast : undefined;
  if (dialog) {
    const lastTask = last?.dialogNodeId === dialog.id ? last.task : '';
    const task = draftOf(dialog.id).trim() || lastTask || (dialog.goal ?? '').trim();
    if (!task) return askTask(dialog.id, last);
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
