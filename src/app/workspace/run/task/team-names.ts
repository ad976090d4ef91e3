import type { CanvasNode } from '../../../../../contract/canvas.ts';

/** Returns the names of teams by the ids of their dialogs, in the given order. Dialogs with the same title are numbered. */
export function teamNames(
  dialogs: readonly CanvasNode[],
  untitled: string,
  numbered: (number: number, title: string) => string,
): ReadonlyMap<string, string> {
  const titleOf = ({ title }: CanvasNode) => title.trim() || untitled;
  const alike = Map.groupBy(dialogs, titleOf);
  const named = [...alike].flatMap(([title, same]) =>
    same.map(({ id }, at) => [id, same.length > 1 ? numbered(at + 1, title) : title] as const),
  );
  const names = new Map(named);
  return new Map(dialogs.map(({ id }) => [id, names.get(id) ?? '']));
}
