import type { CanvasDocument } from '../../../contract/canvas.ts';
import { isSame } from './document-differences.ts';
import type { DocumentChange } from './working-document.ts';

/** The most records in all undo steps, some hundred bytes each; the oldest steps are removed first. */
const maxRecords = 400_000;

/** The steps by their numbers: `from` up to and without `to`; those before `position` are done, the others undone. */
export type UndoExtent = { from: number; to: number; position: number };

/** A stack as stored over a reload: the steps in order, the first of them numbered `from`. */
export type KeptUndo = { extent: UndoExtent; steps: DocumentChange[] };

/** The undo and redo steps, one for each command. */
export class UndoStack {
  #steps: DocumentChange[] = [];
  /** The number of the first step, and of the step after the last done one. */
  #from = 0;
  #position = 0;
  #records = 0;
  /** How often the steps name each node and link. Null until a change of someone else arrives, since most stacks meet none. */
  #named: Map<string, number> | null = null;
  readonly #limit: number;

  constructor(limit = maxRecords) {
    this.#limit = limit;
  }

  get state(): { canUndo: boolean; canRedo: boolean } {
    return { canUndo: this.#position > this.#from, canRedo: this.#position < this.#to };
  }

  get extent(): UndoExtent {
    return { from: this.#from, to: this.#to, position: this.#position };
  }

  /** Returns the last done step with its number. */
  get newest(): { number: number; change: DocumentChange } | null {
    const number = this.#position - 1;
    const change = this.#at(number);
    return change ? { number, change } : null;
  }

  /** Returns the last undone step, which a redo would take. */
  get next(): DocumentChange | null {
    return this.#at(this.#position);
  }

  get kept(): KeptUndo {
    return { extent: this.extent, steps: this.#steps };
  }

  /**
   * Adds a command's change, and drops the redo steps. A change with `goesOn` joins the previous step
   * where that changed the same records.
   */
  push(change: DocumentChange, goesOn = false): void {
    for (const undone of this.#steps.splice(this.#position - this.#from)) this.#count(undone, -1);
    const before = this.newest?.change;
    if (goesOn && before && touchSame(before, change)) {
      this.#steps.pop();
      this.#count(before, -1);
      this.#add({ patches: change.patches, inverse: before.inverse });
      return;
    }
    this.#add(change);
    this.#position += 1;
    while (this.#records > this.#limit && this.#steps.length > 1) {
      this.#count(this.#steps.shift() as DocumentChange, -1);
      this.#from += 1;
    }
  }

  /** Returns the step to undo, or null; apply its `inverse`. */
  undo(): DocumentChange | null {
    const change = this.newest?.change ?? null;
    if (change) this.#position -= 1;
    return change;
  }

  /** Returns the step to redo, or null; apply its `patches`. */
  redo(): DocumentChange | null {
    const change = this.#at(this.#position);
    if (change) this.#position += 1;
    return change;
  }

  /** Whether any step can be undone or redone. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** Whether all steps still fit after a change of someone else: they have no record in common, nor does a link of one end at a card of the other. */
  standsApart(change: DocumentChange): boolean {
    if (!this.#named) {
      this.#named = new Map();
      for (const step of this.#steps) countNames(this.#named, step, 1);
    }
    for (const id of namesIn(change)) if (this.#named.has(id)) return false;
    return true;
  }

  clear(): void {
    this.#steps = [];
    this.#from = this.#position;
    this.#records = 0;
    this.#named = null;
  }

  /** Restores stored steps, if they match this document: it contains the last done step, and not the last undone one. */
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
    this.#named = null;
    return true;
  }

  get #to(): number {
    return this.#from + this.#steps.length;
  }

  #add(step: DocumentChange): void {
    this.#steps.push(step);
    this.#count(step, 1);
  }

  #count(step: DocumentChange, by: 1 | -1): void {
    this.#records += by * step.patches.length;
    if (this.#named) countNames(this.#named, step, by);
  }

  #at(number: number): DocumentChange | null {
    return this.#steps[number - this.#from] ?? null;
  }
}

function touchSame(a: DocumentChange, b: DocumentChange): boolean {
  const touched = new Set(a.patches.map(({ path }) => path.join('/')));
  return a.patches.length === b.patches.length && b.patches.every(({ path }) => touched.has(path.join('/')));
}

function countNames(named: Map<string, number>, step: DocumentChange, by: 1 | -1): void {
  for (const id of namesIn(step)) {
    const count = (named.get(id) ?? 0) + by;
    if (count === 0) named.delete(id);
    else named.set(id, count);
  }
}

/** The ids of the nodes and links that a change touches, and of the nodes at the ends of these links. An id may come several times. */
function* namesIn({ patches, inverse }: DocumentChange): Iterable<string> {
  for (const list of [patches, inverse])
    for (const { path, value } of list) {
      yield String(path[1]);
      if (path[0] !== 'connections' || !value) continue;
      for (const { agentId } of [value.from, value.to]) yield agentId;
    }
}

/** Whether a document equals the result of these patches. */
function stands(patches: DocumentChange['patches'], document: CanvasDocument): boolean {
  return patches.every(({ op, path, value }) => {
    const [collection, id] = path as ['nodes' | 'connections', string];
    const record = Object.hasOwn(document[collection], id) ? document[collection][id] : undefined;
    return op === 'remove' ? record === undefined : isSame(record, value);
  });
}
