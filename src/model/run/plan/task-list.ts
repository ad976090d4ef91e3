import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { maxListItems } from '../../../../contract/executions/run-graph.ts';
import { jsonIn } from '../../../../rules/run-graph/choose-links.ts';
import { taskItems } from '../../../../rules/run-graph/list-items.ts';
import type { RunStarters } from '../starters/starters-of.ts';
import { type GraphPlan, graphPlan } from './run-graph-plan.ts';
import { isStep, runScope } from './run-scope.ts';

/** A task with more items than a group can work through: their number, and the group. */
type LongList = { groupId: string; items: number };

/** Whether a task has more items than a list may have, if a group works through it. */
export function isLongTask(task: string): boolean {
  return taskItems(task).length > maxListItems;
}

/** Returns the first group of a run that works through its task, if that has too many items for it; else null. D4.11 */
export function longListOf(graph: GraphPlan | null, task: string): LongList | null {
  const groupId = graph && groupOfTask(graph);
  const items = groupId ? taskItems(task).length : 0;
  return groupId && items > maxListItems ? { groupId, items } : null;
}

/** Returns the graph of a run that begins with these cards, whatever else is wrong with the canvas. */
export function graphFor(document: CanvasDocument, { dialog, starts }: RunStarters): GraphPlan | null {
  const { ids, backward } = runScope(document, dialog, { starts });
  const stepIds = Object.values(document.nodes).flatMap((node) => (isStep(node) && (ids?.has(node.id) ?? true) ? node.id : []));
  const links = { leftOut: new Set([...backward].map(({ id }) => id)), starterId: dialog?.id ?? null };
  return graphPlan(document, { stepIds, ...links, starterIds: [], parallelSteps: 1 });
}

/** A group that no step leads into. */
function groupOfTask({ groups, groupOf, links }: GraphPlan): string | undefined {
  const entered = new Set(
    links.flatMap(({ from, to, maxRounds }) => (maxRounds === undefined && groupOf.get(from) !== groupOf.get(to) ? groupOf.get(to) : [])),
  );
  return groups.find(({ id }) => !entered.has(id))?.id;
}

/**
 * Joins the items of a task, so many to one that a list may have them all. What stands before them stays. Null where the task would lose a
 * word, or become longer than `maxLength`.
 */
export function joinItems(task: string, maxLength: number): { task: string; each: number } | null {
  const items = taskItems(task);
  const each = Math.ceil(items.length / maxListItems);
  const isJson = jsonIn(task) !== undefined;
  const groups = Array.from({ length: Math.ceil(items.length / each) }, (_, at) => items.slice(at * each, (at + 1) * each));
  const joined = groups.map((group) => group.join(isJson ? '; ' : '\n'));
  const text = isJson ? asJson(task, joined) : numbered(task, items, joined);
  const fits = text.length <= maxLength && taskItems(text).length === joined.length;
  return fits && wordsOf(text) === wordsOf(task) ? { task: text, each } : null;
}

/** A numbered list, below the lines that stand before the first item. */
function numbered(task: string, items: readonly string[], joined: readonly string[]): string {
  const [first = ''] = (items[0] ?? '').split('\n');
  const lines = task.split('\n');
  const before = lines
    .slice(
      0,
      Math.max(
        0,
        lines.findIndex((line) => line.includes(first)),
      ),
    )
    .join('\n');
  const list = joined.map(
    (item, at) =>
      `${at + 1}. ${item
        .split('\n')
        .filter((line) => line.trim() !== '')
        .join('\n   ')}`,
  );
  return [...(before.trim() === '' ? [] : [before]), ...list].join('\n');
}

/** A list as JSON, in a block of code where other words stand before it. */
function asJson(task: string, joined: readonly string[]): string {
  const before = task.slice(0, Math.max(0, task.search(/```|[[{]/)));
  const list = JSON.stringify(joined, null, 2);
  return before.trim() === '' ? list : `${before}\`\`\`\n${list}\n\`\`\``;
}

function wordsOf(text: string): string {
  return (text.match(/\p{L}+/gu) ?? []).join(' ');
}
