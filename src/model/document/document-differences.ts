import type { CanvasDocument, CanvasPatch } from '../../../contract/canvas.ts';

/** Returns the record patches that turn one document into another. */
export function documentDifferences(from: CanvasDocument, to: CanvasDocument): CanvasPatch[] {
  const patches: CanvasPatch[] = [];
  for (const collection of ['nodes', 'connections'] as const) {
    const before = from[collection] as Record<string, unknown>;
    const after = to[collection] as Record<string, unknown>;
    for (const [id, value] of Object.entries(after)) {
      if (!Object.hasOwn(before, id) || !isSame(before[id], value)) patches.push({ op: 'set', collection, id, value } as CanvasPatch);
    }
    for (const id of Object.keys(before)) if (!Object.hasOwn(after, id)) patches.push({ op: 'remove', collection, id });
  }
  return patches;
}

/** Whether two plain values are equal, in any order of fields; an absent field equals an undefined one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of Object.keys(left)) if (!isSame(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (right[key] !== undefined && left[key] === undefined) return false;
  return Array.isArray(a) === Array.isArray(b);
}
