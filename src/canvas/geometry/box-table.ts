import { BoxCells } from './box-cells.ts';
import type { Rect } from './camera.ts';

/** The minimum number of empty slots before compaction, which also needs more empty slots than records. */
const holesKept = 1_000;

/** Records with a box each, in slots that keep their place until compaction. */
export class BoxTable<T> {
  /** Left, top, right, bottom of each slot, world px; an empty slot's box is nowhere. */
  boxes = new Float64Array(4 * 64);
  readonly records: (T | null)[] = [];
  readonly ids: string[] = [];
  readonly #slots = new Map<string, number>();
  readonly #cells = new BoxCells();

  get size(): number {
    return this.#slots.size;
  }

  get(id: string): T | null {
    const slot = this.#slots.get(id);
    return slot === undefined ? null : (this.records[slot] as T | null);
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  set(id: string, record: T, box: Rect): void {
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      slot = this.records.length;
      this.#slots.set(id, slot);
      this.ids.push(id);
      this.records.push(record);
      this.#reserve(slot + 1);
    }
    this.records[slot] = record;
    const { boxes } = this;
    const at = slot * 4;
    boxes[at] = box.left;
    boxes[at + 1] = box.top;
    boxes[at + 2] = box.right;
    boxes[at + 3] = box.bottom;
    this.#cells.place(slot, box);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    this.records[slot] = null;
    this.boxes.fill(Number.NaN, slot * 4, slot * 4 + 4);
    this.#cells.remove(slot);
  }

  clear(): void {
    this.#slots.clear();
    this.#cells.clear();
    this.records.length = 0;
    this.ids.length = 0;
  }

  isSparse(): boolean {
    const holes = this.records.length - this.size;
    return holes > holesKept && holes > this.size;
  }

  /** Slots whose box, grown by `margin`, overlaps the rectangle; the topmost comes first. */
  overlapping({ left, top, right, bottom }: Rect, margin = 0): number[] {
    const area = { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin };
    const found: number[] = [];
    this.#cells.about(area, (slots) => {
      for (const slot of slots) if (this.isIn(slot, area)) found.push(slot);
    });
    return found.length > 1 ? found.sort((a, b) => b - a) : found;
  }

  /** Calls back with the slots whose box overlaps the rectangle, in no order. */
  eachOverlapping(area: Rect, found: (slot: number) => void): void {
    this.#cells.about(area, (slots) => {
      for (const slot of slots) if (this.isIn(slot, area)) found(slot);
    });
  }

  box(slot: number): Rect {
    const at = slot * 4;
    return {
      left: this.boxes[at] as number,
      top: this.boxes[at + 1] as number,
      right: this.boxes[at + 2] as number,
      bottom: this.boxes[at + 3] as number,
    };
  }

  /** Whether the box of a slot and the rectangle overlap; no object is made for the box. */
  isIn(slot: number, { left, top, right, bottom }: Rect): boolean {
    const { boxes } = this;
    const at = slot * 4;
    return (
      (boxes[at] as number) <= right &&
      (boxes[at + 2] as number) >= left &&
      (boxes[at + 1] as number) <= bottom &&
      (boxes[at + 3] as number) >= top
    );
  }

  bounds(): Rect | null {
    if (this.size === 0) return null;
    const all = {
      left: Number.POSITIVE_INFINITY,
      top: Number.POSITIVE_INFINITY,
      right: Number.NEGATIVE_INFINITY,
      bottom: Number.NEGATIVE_INFINITY,
    };
    for (let slot = 0; slot < this.records.length; slot++) {
      if (this.records[slot] === null) continue;
      const box = this.box(slot);
      all.left = Math.min(all.left, box.left);
      all.top = Math.min(all.top, box.top);
      all.right = Math.max(all.right, box.right);
      all.bottom = Math.max(all.bottom, box.bottom);
    }
    return all;
  }

  #reserve(slots: number): void {
    if (slots * 4 <= this.boxes.length) return;
    const grown = new Float64Array(this.boxes.length * 2);
    grown.set(this.boxes);
    this.boxes = grown;
  }
}
