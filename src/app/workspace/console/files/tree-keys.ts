import type { TreeRow } from './tree-rows.ts';

/** The effect of a key on the tree: moves to a row, opens or closes a folder, or chooses the row, which may ask for more of them. */
type TreeStep = { to: string } | { toggle: string } | { choose: string };

/** Returns the effect of a key at a row, by the usual keys of trees; null for other keys. */
export function treeStep(rows: readonly TreeRow[], activeId: string | null, key: string): TreeStep | null {
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === activeId),
  );
  const row = rows[at];
  if (!row) return null;
  switch (key) {
    case 'ArrowDown':
      return to(rows[at + 1]);
    case 'ArrowUp':
      return to(rows[at - 1]);
    case 'Home':
      return to(rows[0]);
    case 'End':
      return to(rows.at(-1));
    case 'ArrowRight':
      if (row.kind !== 'folder') return null;
      return row.open ? to(rows[at + 1]) : { toggle: row.id };
    case 'ArrowLeft':
      if (row.kind === 'folder' && row.open) return { toggle: row.id };
      return to(rows.slice(0, at).findLast(({ level }) => level < row.level));
    case 'Enter':
    case ' ':
      return row.kind === 'folder' ? { toggle: row.id } : { choose: row.id };
    default:
      return key.length === 1 ? to(nextNamed(rows, at, key)) : null;
  }
}

function to(row: TreeRow | undefined): TreeStep | null {
  return row ? { to: row.id } : null;
}

/** Returns the next row whose name begins with a character, wrapping at the end. */
function nextNamed(rows: readonly TreeRow[], at: number, character: string): TreeRow | undefined {
  const wanted = character.toLocaleLowerCase();
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find(({ name }) => name.toLocaleLowerCase().startsWith(wanted));
}
