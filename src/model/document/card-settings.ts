import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { isAgentCard, isAgentOrPerson, isAnnotation, isPersonCard } from '../../../rules/card.ts';
import type { CardSettings } from '../commands.ts';
import type { Outcome } from '../problem.ts';
import { withContents } from './annotations.ts';
import { isSame } from './document-differences.ts';
import { changedFields, type Edited, edited } from './edit-command.ts';
import type { WorkingDocument } from './working-document.ts';

/** Whether a card can have a setting: only agents and people can be disabled, and only steps can fail. */
const canHave = {
  disabled: isAgentOrPerson,
  onFailure: (node) => isAgentCard(node) || isPersonCard(node),
} satisfies Record<keyof CardSettings, (node: CanvasNode) => boolean>;

/** The value of a setting that all cards share, or that they differ. `cards`: those that can have it; `others`: how many cannot. */
export type SharedSetting<T> = { cards: string[]; others: number; value: T | undefined; isMixed: boolean };

/** Returns the selected cards, with those in selected groups. Notes and groups themselves are no cards. */
export function cardsOf(nodes: CanvasDocument['nodes'], chosen: ReadonlySet<string>): CanvasNode[] {
  return [...withContents(nodes, chosen)].flatMap((id) => {
    const node = nodes[id];
    return node && !isAnnotation(node) ? [node] : [];
  });
}

/** Returns what many cards have of a setting. */
export function sharedSetting<K extends keyof CardSettings>(cards: readonly CanvasNode[], field: K): SharedSetting<CardSettings[K]> {
  const able = cards.filter(canHave[field]);
  const values = new Set(able.map((node) => settingOf(node, field)));
  return {
    cards: able.map(({ id }) => id),
    others: cards.length - able.length,
    value: values.size === 1 ? ([...values][0] as CardSettings[K]) : undefined,
    isMixed: values.size > 1,
  };
}

/** Gives cards settings, and skips those that cannot have them. */
export function setCards(
  working: WorkingDocument,
  { nodeIds, changes }: { nodeIds: readonly string[]; changes: CardSettings },
): Outcome<Edited> {
  const fields = Object.keys(changes) as (keyof CardSettings)[];
  const change = working.edit((edit) => {
    for (const id of nodeIds) {
      const node = working.node(id);
      if (!node) continue;
      const next = fields.filter((field) => canHave[field](node)).reduce((now, field) => withSetting(now, field, changes[field]), node);
      if (!isSame(node, next)) edit.setNode(next);
    }
  });
  return edited(change, undefined);
}

function settingOf(node: CanvasNode, field: keyof CardSettings) {
  return field === 'disabled' ? node.disabled : node.step?.onFailure;
}

function withSetting(node: CanvasNode, field: keyof CardSettings, value: true | 'goOn' | undefined): CanvasNode {
  if (field === 'disabled') return changedFields(node, [[field, value]]) as CanvasNode;
  const step = changedFields(node.step ?? {}, [[field, value]]);
  return changedFields(node, [['step', Object.keys(step).length > 0 ? step : undefined]]) as CanvasNode;
}
