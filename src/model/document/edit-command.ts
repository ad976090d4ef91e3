import { maxCoordinate } from '../../../contract/canvas.ts';
import type { CommandResult, DocumentCommand } from '../commands.ts';
import type { Outcome } from '../problem.ts';
import type { DocumentChange } from './working-document.ts';

/** The commands that set, lay out and align selected cards, and those on links that are there. Their rules are loaded when the first one is given. */
export type SelectionCommand = Extract<
  DocumentCommand,
  { type: 'nodes.set' | 'nodes.disable' | 'nodes.layout' | 'nodes.align' | 'nodes.distribute' | 'link.end' | 'node.insert' }
>;

/** A command on the document, except undo and redo. Patterns, and the commands of `selection-commands.ts`, are parts that are loaded at first use. */
export type EditCommand = Exclude<
  DocumentCommand,
  { type: 'history.undo' } | { type: 'history.redo' } | { type: 'pattern.place' } | SelectionCommand
>;

export type EditOf<T extends EditCommand['type']> = Extract<EditCommand, { type: T }>;

/** The change of a command, and what its sender gets. `unmatched`, `skipped`: agents without a card, and cards without an agent. */
export type Edited = { change: DocumentChange | null; result: CommandResult; unmatched?: string[]; skipped?: string[] };

export function edited(change: DocumentChange | null, result: CommandResult): Outcome<Edited> {
  return { ok: true, value: { change, result } };
}

/** Whether a place is finite and on the canvas. */
export function isPlace({ x, y }: { x: number; y: number }): boolean {
  return Math.abs(x) <= maxCoordinate && Math.abs(y) <= maxCoordinate;
}

/** Returns a record with these fields changed; undefined fields are removed. */
export function changedFields(record: object, changes: Iterable<readonly [field: string, value: unknown]>): Record<string, unknown> {
  const next: Record<string, unknown> = { ...record };
  for (const [field, value] of changes) {
    if (value === undefined) delete next[field];
    else next[field] = value;
  }
  return next;
}
