import { isAnnotation } from '../../../rules/card.ts';
import type { Command } from '../../model/commands.ts';
import { isFolded, isMerged, linksBehind } from '../folding/folded-records.ts';
import type { ResizeStep } from '../tools/resize-step.ts';
import type { OutlineRow } from './outline-rows.ts';

/** The action of a key on a line of the outline. */
export type OutlineAction =
  | { kind: 'go'; to: number }
  /** To a card along a link. */
  | { kind: 'follow'; nodeId: string }
  | { kind: 'open'; nodeId: string }
  | { kind: 'startLink'; from: string }
  | { kind: 'endLink'; from: string; to: string }
  | { kind: 'cancelLink' }
  /** Moves a card, or a group with its content, world px. */
  | { kind: 'move'; nodeId: string; dx: number; dy: number }
  /** Makes a note or group larger or smaller by a step. */
  | { kind: 'resize'; nodeId: string; step: ResizeStep }
  /** The next hold of a link. */
  | { kind: 'hold'; linkId: string }
  | { kind: 'command'; command: Command };

type OutlineKeyContext = {
  rows: readonly OutlineRow[];
  at: number;
  /** The card from which a link is being made. */
  linkingFrom: string | null;
  readOnly: boolean;
  /** The card that a card's link leads to, or comes from; null without any. */
  along: (nodeId: string, way: 'forward' | 'back') => string | null;
};

/** World px: a step of the grid. */
const moveStep = 20;
const moveKeys: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -moveStep, y: 0 },
  ArrowRight: { x: moveStep, y: 0 },
  ArrowUp: { x: 0, y: -moveStep },
  ArrowDown: { x: 0, y: moveStep },
};

/** Returns the action of a key on the line `at`; null for a key without one. */
export function outlineKey(
  event: { key: string; code: string; shift: boolean; alt: boolean; repeat: boolean; modified: boolean },
  context: OutlineKeyContext,
): OutlineAction | null {
  const { rows, at, linkingFrom, readOnly } = context;
  const row = rows[at];
  if (!row || event.modified) return null;
  if (event.alt) return readOnly ? null : resize(event, row);
  if (event.key === 'Escape') return linkingFrom === null ? null : { kind: 'cancelLink' };
  if (event.key === 'Enter') return enter(row, linkingFrom);
  if (!event.shift) {
    const card = follow(event.key, row, context);
    if (card !== null) return { kind: 'follow', nodeId: card };
    const to = destination(event.key, rows, at);
    if (to !== null) return { kind: 'go', to };
  }
  return readOnly ? null : edit(event, row);
}

function resize({ key, shift, repeat }: { key: string; shift: boolean; repeat: boolean }, row: OutlineRow): OutlineAction | null {
  const way = shift ? moveKeys[key] : undefined;
  if (!way || row.kind === 'link' || !isAnnotation(row.node) || isFolded(row.node)) return null;
  return { kind: 'resize', nodeId: row.node.id, step: { x: sign(way.x), y: sign(way.y), goesOn: repeat } };
}

function sign(value: number): -1 | 0 | 1 {
  return value === 0 ? 0 : value < 0 ? -1 : 1;
}

function enter(row: OutlineRow, linkingFrom: string | null): OutlineAction | null {
  if (row.kind === 'link') return linkingFrom === null ? { kind: 'follow', nodeId: row.to.id } : null;
  return linkingFrom === null ? { kind: 'open', nodeId: row.node.id } : { kind: 'endLink', from: linkingFrom, to: row.node.id };
}

function edit(event: { key: string; code: string; shift: boolean }, row: OutlineRow): OutlineAction | null {
  if (event.key === 'Delete' || event.key === 'Backspace') {
    return row.kind === 'node'
      ? { kind: 'command', command: { type: 'selection.remove', nodeIds: [row.node.id], connectionIds: [] } }
      : { kind: 'command', command: { type: 'selection.remove', nodeIds: [], connectionIds: [...linksBehind(row.link)] } };
  }
  if (row.kind === 'link')
    return event.code === 'KeyH' && !event.shift && !isMerged(row.link) ? { kind: 'hold', linkId: row.link.id } : null;
  const step = event.shift ? moveKeys[event.key] : undefined;
  if (step) {
    return { kind: 'move', nodeId: row.node.id, dx: step.x, dy: step.y };
  }
  return event.code === 'KeyL' && !event.shift && !isAnnotation(row.node) ? { kind: 'startLink', from: row.node.id } : null;
}

/** Right follows a card's first link, or the link of the line; left follows it backward. While a link is being made, both go from card to card. */
function follow(key: string, row: OutlineRow, { linkingFrom, along }: OutlineKeyContext): string | null {
  if (linkingFrom !== null || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return null;
  const forward = key === 'ArrowRight';
  if (row.kind === 'link') return forward ? row.to.id : row.from.id;
  return along(row.node.id, forward ? 'forward' : 'back');
}

/** Up and down move by lines. Left and right move by cards if there is no link to follow. */
function destination(key: string, rows: readonly OutlineRow[], at: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(rows.length - 1, at + 1);
    case 'ArrowUp':
      return Math.max(0, at - 1);
    case 'ArrowRight':
      return nextCard(rows, at, 1);
    case 'ArrowLeft':
      return nextCard(rows, at, -1);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    default:
      return null;
  }
}

function nextCard(rows: readonly OutlineRow[], at: number, direction: 1 | -1): number {
  let to = at + direction;
  while (rows[to]?.kind === 'link') to += direction;
  return rows[to] ? to : at;
}
