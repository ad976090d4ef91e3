import { isSame } from '../document/document-differences.ts';

/** A field that differs, by its path; values are undefined where the field is absent. */
export type ChangedField = { path: string; before: unknown; after: unknown };

/** Fields that identify a record, and those that the card's place is shown by. */
const leftOut: ReadonlySet<string> = new Set(['id', 'x', 'y', 'width', 'height']);

/**
 * Returns the fields that differ between two forms of a record, those of nested settings by their path. Place and size are one field each,
 * as texts.
 */
export function changedFields(before: object, after: object): ChangedField[] {
  return [...shapeFields(before as Shape, after as Shape), ...fieldsOf('', before, after)];
}

type Shape = { x?: number; y?: number; width?: number; height?: number };

function shapeFields(before: Shape, after: Shape): ChangedField[] {
  const place = ({ x, y }: Shape) => (x === undefined || y === undefined ? undefined : `${Math.round(x)}, ${Math.round(y)}`);
  const size = ({ width, height }: Shape) =>
    width === undefined || height === undefined ? undefined : `${Math.round(width)} × ${Math.round(height)}`;
  const both = (path: string, of: (shape: Shape) => string | undefined): ChangedField[] => {
    const [earlier, later] = [of(before), of(after)];
    return earlier === later ? [] : [{ path, before: earlier, after: later }];
  };
  return [...both('place', place), ...both('size', size)];
}

function fieldsOf(prefix: string, before: object, after: object): ChangedField[] {
  const [from, to] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    if (prefix === '' && leftOut.has(key)) return [];
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (isSame(from[key], to[key])) return [];
    if (isRecord(from[key]) && isRecord(to[key])) return fieldsOf(path, from[key], to[key]);
    return [{ path, before: from[key], after: to[key] }];
  });
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
