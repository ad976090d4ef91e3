import type { CanvasNode } from '../../../contract/canvas.ts';
import en from '../../../locales/en/content/goals.json' with { type: 'json' };
import ru from '../../../locales/ru/content/goals.json' with { type: 'json' };

/** The goals that dialogs come with: from the menu, from a flow, or with a new account. */
const given = new Set([...Object.values(en), ...Object.values(ru)]);

/** Returns a dialog's goal as a task: empty for a goal that it came with, which only hints at what to write. R24 */
export function ownGoal({ goal = '' }: Pick<CanvasNode, 'goal'>): string {
  const text = goal.trim();
  return given.has(text) ? '' : text;
}
