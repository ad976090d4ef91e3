import type { CanvasDocument, CanvasNode } from '../../../../contract/canvas.ts';

/** What pressing Start leads to. */
export type StartChoice =
  | { kind: 'noAgents' }
  /** One dialog is meant, and its unsent text or its goal is the task. */
  | { kind: 'run'; dialogNodeId: string; task: string }
  /** The task is asked for: of one dialog that has neither text nor goal, or of the whole canvas. */
  | { kind: 'askTask'; dialogNodeId: string | null }
  | { kind: 'chooseDialog'; dialogs: CanvasNode[] };

/** The selected dialog, else the only one, else asks which; without a dialog all agents run and the task is asked for. */
export function startChoice(
  nodes: CanvasDocument['nodes'],
  selected: ReadonlySet<string>,
  draftOf: (dialogNodeId: string) => string,
): StartChoice {
  const all = Object.values(nodes);
  if (!all.some((node) => node.type === 'agent' && !node.isUser)) return { kind: 'noAgents' };
  const dialogs = all.filter((node) => node.type === 'dialog').sort(byPosition);
  const chosen = dialogs.filter((node) => selected.has(node.id));
  const dialog = chosen.length === 1 ? chosen[0] : dialogs.length === 1 ? dialogs[0] : undefined;
  if (dialog) {
    const task = draftOf(dialog.id).trim() || (dialog.goal ?? '').trim();
    return task ? { kind: 'run', dialogNodeId: dialog.id, task } : { kind: 'askTask', dialogNodeId: dialog.id };
  }
  if (dialogs.length > 1) return { kind: 'chooseDialog', dialogs: chosen.length > 1 ? chosen : dialogs };
  return { kind: 'askTask', dialogNodeId: null };
}

function byPosition(a: CanvasNode, b: CanvasNode): number {
  return a.y - b.y || a.x - b.x;
}
