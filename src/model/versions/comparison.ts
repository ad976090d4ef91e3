import type { CanvasDocument, CanvasNode, Connection } from '../../../contract/canvas.ts';
import { isSame } from '../document/document-differences.ts';

export type DifferenceKind = 'added' | 'removed' | 'changed' | 'moved';

/** How a record differs from an earlier version, and the record as it was; the record as it is now is in the document. */
type Difference<T> = { kind: 'added' } | { kind: 'removed' | 'changed' | 'moved'; before: T };

/** The records of a document that differ from an earlier version, by id. */
export type Comparison = { nodes: Record<string, Difference<CanvasNode>>; connections: Record<string, Difference<Connection>> };

/** Compares two whole documents. */
export function compareDocuments(before: CanvasDocument, now: CanvasDocument): Comparison {
  return {
    nodes: differencesOf(before.nodes, now.nodes, nodeDifference),
    connections: differencesOf(before.connections, now.connections, linkDifference),
  };
}

/** Compares a node with itself in an earlier version; null without a difference. A node is moved when nothing but its place differs. */
export function nodeDifference(before: CanvasNode | undefined, now: CanvasNode | undefined): Difference<CanvasNode> | null {
  const difference = recordDifference(before, now);
  if (difference?.kind !== 'changed' || !now) return difference;
  const { before: earlier } = difference;
  return isSame({ ...earlier, x: now.x, y: now.y }, now) ? { kind: 'moved', before: earlier } : difference;
}

/** Compares a link with itself in an earlier version; null without a difference. */
export function linkDifference(before: Connection | undefined, now: Connection | undefined): Difference<Connection> | null {
  return recordDifference(before, now);
}

function recordDifference<T>(before: T | undefined, now: T | undefined): Difference<T> | null {
  if (before === undefined) return now === undefined ? null : { kind: 'added' };
  if (now === undefined) return { kind: 'removed', before };
  return isSame(before, now) ? null : { kind: 'changed', before };
}

function differencesOf<T>(
  before: Readonly<Record<string, T>>,
  now: Readonly<Record<string, T>>,
  compare: (before: T | undefined, now: T | undefined) => Difference<T> | null,
): Record<string, Difference<T>> {
  const found: Record<string, Difference<T>> = {};
  for (const id in now) {
    const difference = compare(before[id], now[id]);
    if (difference) found[id] = difference;
  }
  for (const id in before) if (!(id in now)) found[id] = { kind: 'removed', before: before[id] as T };
  return found;
}

/** Returns the document of the earlier version: what differs, as it was, and all else as it is. */
export function earlierDocument(now: CanvasDocument, { nodes, connections }: Comparison): CanvasDocument {
  return { nodes: earlierRecords(now.nodes, nodes), connections: earlierRecords(now.connections, connections) };
}

function earlierRecords<T>(now: Readonly<Record<string, T>>, differences: Readonly<Record<string, Difference<T>>>): Record<string, T> {
  const records = { ...now };
  for (const [id, difference] of Object.entries(differences)) {
    if (difference.kind === 'added') delete records[id];
    else records[id] = difference.before;
  }
  return records;
}

export type DifferenceCounts = Record<DifferenceKind, number>;

/** Counts cards and links together, by kind. */
export function countDifferences({ nodes, connections }: Comparison): DifferenceCounts {
  const counts = { added: 0, removed: 0, changed: 0, moved: 0 };
  for (const records of [nodes, connections]) for (const id in records) counts[(records[id] as Difference<unknown>).kind] += 1;
  return counts;
}
