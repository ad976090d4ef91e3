import type { DocumentChange } from './working-document.ts';

/** Records kept for undo in all, some hundred bytes each; the oldest steps go first. */
const mostRecords = 400_000;

/** What can be undone and redone, one entry a command. */
export class UndoStack {
  #done: DocumentChange[] = [];
  #undone: DocumentChange[] = [];
  #records = 0;
  readonly #limit: number;

  constructor(limit = mostRecords) {
    this.#limit = limit;
  }

  get state(): { canUndo: boolean; canRedo: boolean } {
    return { canUndo: this.#done.length > 0, canRedo: this.#undone.length > 0 };
  }

  /** Adds what a command did; what had been undone cannot be redone any more. */
  push(change: DocumentChange): void {
    for (const undone of this.#undone) this.#records -= undone.patches.length;
    this.#undone = [];
    this.#done.push(change);
    this.#records += change.patches.length;
    while (this.#records > this.#limit && this.#done.length > 1) {
      this.#records -= (this.#done.shift() as DocumentChange).patches.length;
    }
  }

  /** The step to take back, or null; its `inverse` undoes it. */
  undo(): DocumentChange | null {
    const change = this.#done.pop() ?? null;
    if (change) this.#undone.push(change);
    return change;
  }

  /** The step to do again, or null; its `patches` redo it. */
  redo(): DocumentChange | null {
    const change = this.#undone.pop() ?? null;
    if (change) this.#done.push(change);
    return change;
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#records = 0;
  }
}
