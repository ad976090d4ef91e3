import type { CanvasNode } from '../../../../../contract/canvas.ts';

/** Returns the names of teams by the ids of their dialogs, in the given order. Dialogs with the same title are numbered. */
export function teamNames(
  dialogs: readonly CanvasNode[],
  untitled: string,
  numbered: (number: number, title: string) => string,
): ReadonlyMap<string, string> {
  const titleOf = ({ title }: CanvasNode) => title.trim() || untitled;
  const alike = Map.groupBy(dialogs, titleOf);
  return new Map(
    dialogs.map((dialog) => {
      const title = titleOf(dialog);
      const same = alike.get(title) ?? [];
      return [dialog.id, same.length > 1 ? numbered(same.indexOf(dialog) + 1, title) : title] as const;
    }),
  );
}
