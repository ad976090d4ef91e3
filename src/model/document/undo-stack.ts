import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isSame } from './document-differences.ts';
import type { DocumentChange } from './working-document.ts';

/** Records kept for undo in all, some hundred bytes each; the oldest steps go first. */
const mostRecords = 400_000;

/** Which steps there are, by their numbers: `from` up to and without `to`, those before `position` done, the others undone. */
export type UndoExtent = { from: number; to: number; position: number };

/** A stack as it is kept over a reload: the steps in order, the first of them numbered `from`. */
export type KeptUndo = { extent: UndoExtent; steps: DocumentChange[] };

/** What can be undone and redone, one step a command. */
export class UndoStack {
  #steps: DocumentChange[] = [];
  /** The number of the first step, and of the one after the last that is done. */
  #from = 0;
  #position = 0;
  #records = 0;
  readonly #limit: number;

  constructor(limit = mostRecords) {
    this.#limit = limit;
  }

  get state(): { canUndo: boolean; canRedo: boolean } {
    return { canUndo: this.#position > this.#from, canRedo: this.#position < this.#to };
  }

  get extent(): UndoExtent {
    return { from: this.#from, to: this.#to, position: this.#position };
  }

  /** The step that was done last, with its number. */
  get newest(): { number: number; change: DocumentChange } | null {
    const number = this.#position - 1;
    const change = this.#at(number);
    return change ? { number, change } : null;
  }

  get kept(): KeptUndo {
    return { extent: this.extent, steps: this.#steps };
  }

  /**
   * Adds what a command did; what had been undone cannot be redone any more. One that `goesOn` becomes one step with the one
   * before it, where that touched the same records.
   */
  push(change: DocumentChange, goesOn = false): void {
    for (const undone of this.#steps.splice(this.#position - this.#from)) this.#records -= undone.patches.length;
    const before = this.newest?.change;
    if (goesOn && before && touchSame(before, change)) {
      this.#steps[this.#steps.length - 1] = { patches: change.patches, inverse: before.inverse };
      return;
    }
    this.#steps.push(change);
    this.#position += 1;
    this.#records += change.patches.length;
    while (this.#records > this.#limit && this.#steps.length > 1) {
      this.#records -= (this.#steps.shift() as DocumentChange).patches.length;
      this.#from += 1;
    }
  }

  /** The step to take back, or null; its `inverse` undoes it. */
  undo(): DocumentChange | null {
    const change = this.newest?.change ?? null;
    if (change) this.#position -= 1;
    return change;
  }

  /** The step to do again, or null; its `patches` redo it. */
  redo(): DocumentChange | null {
    const change = this.#at(this.#position);
    if (change) this.#position += 1;
    return change;
  }

  clear(): void {
    this.#steps = [];
    this.#from = this.#position;
    this.#records = 0;
  }

  /** Takes over what was kept, if it is of this document: what was done last stands there, and what was undone last does not. */
  restore({ extent, steps }: KeptUndo, document: CanvasDocument): boolean {
    const { from, to, position } = extent;
    if (to - from !== steps.length || position < from || position > to) return false;
    const done = steps[position - 1 - from];
    const undone = steps[position - from];
    if ((done && !stands(done.patches, document)) || (undone && !stands(undone.inverse, document))) return false;
    this.#steps = [...steps];
    this.#from = from;
    this.#position = position;
    this.#records = steps.reduce((sum, { patches }) => sum + patches.length, 0);
    return true;
  }

  get #to(): number {
    return this.#from + this.#steps.length;
  }

  #at(number: number): DocumentChange | null {
    return this.#steps[number - this.#from] ?? null;
  }
}

function touchSame(a: DocumentChange, b: DocumentChange): boolean {
  const touched = new Set(a.patches.map(({ path }) => path.join('/')));
  return a.patches.length === b.patches.length && b.patches.every(({ path }) => touched.has(path.join('/')));
}

/** Whether a document is as these patches leave it. */
function stands(patches: DocumentChange['patches'], document: CanvasDocument): boolean {
  return patches.every(({ op, path, value }) => {
    const [collection, id] = path as ['nodes' | 'connections', string];
    const record = Object.hasOwn(document[collection], id) ? document[collection][id] : undefined;
    return op === 'remove' ? record === undefined : isSame(record, value);
  });
}
