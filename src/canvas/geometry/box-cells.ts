import type { Rect } from './camera.ts';
import { cellKey, clampCell } from './cell-key.ts';
import { withOne } from './short-list.ts';

/** World px along the edge of a cell, level by level: a box lies in the first that is as large as itself. The last level is one cell. */
const sizes = [512, 4_096, 32_768, 4_194_304, Number.POSITIVE_INFINITY] as const;

/**
 * A spatial index: boxes in square cells by their middles, so that a search costs what lies near. A box reaches
 * at most half a cell out of its own.
 */
export class BoxCells {
  readonly #levels: readonly Level[] = sizes.map((size) => ({ size, cells: new Map() }));
  /** The level and the cell of each slot, as `level * 2^32 + key`; -1 for none. */
  readonly #cellOf: number[] = [];

  place(slot: number, box: Rect): void {
    const level = levelFor(box);
    const size = sizes[level] as number;
    const key = cellKey(Math.floor((box.left + box.right) / 2 / size), Math.floor((box.top + box.bottom) / 2 / size));
    const place = level * 2 ** 32 + key;
    if (this.#cellOf[slot] === place) return;
    this.remove(slot);
    const { cells } = this.#levels[level] as Level;
    cells.set(key, withOne(cells.get(key), slot));
    this.#cellOf[slot] = place;
  }

  remove(slot: number): void {
    const place = this.#cellOf[slot] ?? -1;
    if (place < 0) return;
    const key = place % 2 ** 32;
    const cells = this.#levels[(place - key) / 2 ** 32]?.cells;
    const cell = cells?.get(key);
    if (cell) {
      const at = cell.indexOf(slot);
      cell[at] = cell[cell.length - 1] as number;
      cell.pop();
      if (cell.length === 0) cells?.delete(key);
    }
    this.#cellOf[slot] = -1;
  }

  clear(): void {
    for (const { cells } of this.#levels) cells.clear();
    this.#cellOf.length = 0;
  }

  /** Calls back with the slots of each cell from which a box may reach into the rectangle. */
  about(rect: Rect, found: (slots: readonly number[]) => void): void {
    for (const { size, cells } of this.#levels) {
      if (cells.size === 0) continue;
      const left = clampCell(Math.floor(rect.left / size - 0.5));
      const right = clampCell(Math.floor(rect.right / size + 0.5));
      const top = clampCell(Math.floor(rect.top / size - 0.5));
      const bottom = clampCell(Math.floor(rect.bottom / size + 0.5));
      if ((right - left + 1) * (bottom - top + 1) > cells.size) {
        for (const slots of cells.values()) found(slots);
        continue;
      }
      for (let y = top; y <= bottom; y++) {
        for (let x = left; x <= right; x++) {
          const slots = cells.get(cellKey(x, y));
          if (slots) found(slots);
        }
      }
    }
  }
}

type Level = { size: number; cells: Map<number, number[]> };

function levelFor({ left, top, right, bottom }: Rect): number {
  const extent = Math.max(right - left, bottom - top);
  let level = 0;
  while (level < sizes.length - 1 && !(extent <= (sizes[level] as number))) level++;
  return level;
}
