import { Observable } from '../../../state/observable.ts';
import { cellKey, cellOfKey } from '../../geometry/cell-key.ts';

/** Sorts slots into square cells of the plane by one point of each, and notifies of the cells that a change touches. */
export class CellGrid {
  readonly cellSize: number;
  readonly #cells = new Map<number, number[]>();
  readonly #cellOf: number[] = [];
  /** Notifies of each cell whose content a change touched. */
  readonly touched = new Observable<[cellX: number, cellY: number]>();

  constructor(cellSize: number) {
    this.cellSize = cellSize;
  }

  /** Puts a slot into the cell of a point (world px). Marks the cell as touched even if the slot was already there. */
  place(slot: number, x: number, y: number): void {
    const key = this.#keyAt(x, y);
    const before = this.#cellOf[slot] ?? -1;
    if (before !== key) {
      if (before !== -1) this.#take(slot, before);
      this.#put(slot, key);
    }
    this.#touch(key);
  }

  /** Puts a new slot into the cell of a point without a notification, for when all cells are new. */
  fill(slot: number, x: number, y: number): void {
    this.#put(slot, this.#keyAt(x, y));
  }

  remove(slot: number): void {
    const key = this.#cellOf[slot] ?? -1;
    if (key === -1) return;
    this.#take(slot, key);
    this.#cellOf[slot] = -1;
  }

  /** Marks a slot's cell as touched without moving the slot. */
  touch(slot: number): void {
    const key = this.#cellOf[slot] ?? -1;
    if (key !== -1) this.#touch(key);
  }

  clear(): void {
    this.#cells.clear();
    this.#cellOf.length = 0;
  }

  /** Slots in the square of `span` by `span` cells, in ascending order, which is the stacking order. */
  slots(cellX: number, cellY: number, span: number): number[] {
    const found: number[] = [];
    for (let y = cellY; y < cellY + span; y++) {
      for (let x = cellX; x < cellX + span; x++) {
        const cell = this.#cells.get(cellKey(x, y));
        if (cell) for (const slot of cell) found.push(slot);
      }
    }
    return found.sort((a, b) => a - b);
  }

  #keyAt(x: number, y: number): number {
    return cellKey(Math.floor(x / this.cellSize), Math.floor(y / this.cellSize));
  }

  #put(slot: number, key: number): void {
    const cell = this.#cells.get(key);
    if (cell) cell.push(slot);
    else this.#cells.set(key, [slot]);
    this.#cellOf[slot] = key;
  }

  #take(slot: number, key: number): void {
    const cell = this.#cells.get(key);
    if (!cell) return;
    const at = cell.indexOf(slot);
    cell[at] = cell[cell.length - 1] as number;
    cell.pop();
    if (cell.length === 0) this.#cells.delete(key);
    this.#touch(key);
  }

  #touch(key: number): void {
    const { x, y } = cellOfKey(key);
    this.touched.notify(x, y);
  }
}
