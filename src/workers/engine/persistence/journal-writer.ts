import type { KeptUndo } from '../../../model/document/undo-stack.ts';
import type { JournalEdit, JournalHead, JournalKey, Journals, UndoEdit } from '../environment/environment.ts';

/**
 * Writes one tab's journal, in order. When the disk refuses a write, `onHealth` is called once, and again when it accepts one. Work goes
 * on meanwhile.
 */
export class JournalWriter {
  readonly #journals: Journals | null;
  readonly #key: JournalKey;
  readonly #onHealth: (works: boolean) => void;
  #works: boolean;
  #last: Promise<void> = Promise.resolve();

  constructor(journals: Journals | null, key: JournalKey, onHealth: (works: boolean) => void) {
    this.#journals = journals;
    this.#key = key;
    this.#onHealth = onHealth;
    this.#works = journals !== null;
  }

  get works(): boolean {
    return this.#works;
  }

  write(head: JournalHead, edits: JournalEdit[], undo: UndoEdit | null = null): Promise<void> {
    return this.#inTurn((journals) => journals.write(this.#key, head, edits, undo));
  }

  replaceUndo(undo: KeptUndo | null): Promise<void> {
    return this.#inTurn((journals) => journals.replaceUndo(this.#key, undo));
  }

  replace(head: JournalHead, edits: JournalEdit[]): Promise<void> {
    return this.#inTurn((journals) => journals.replace(this.#key, head, edits));
  }

  acknowledge(head: JournalHead, saved: Pick<JournalEdit, 'collection' | 'id' | 'revision'>[]): Promise<void> {
    return this.#inTurn((journals) => journals.acknowledge(this.#key, head, saved));
  }

  clear(): Promise<void> {
    return this.#inTurn((journals) => journals.remove(this.#key));
  }

  /** Settles when everything asked for so far is written or refused. */
  settled(): Promise<void> {
    return this.#last;
  }

  #inTurn(work: (journals: Journals) => Promise<void>): Promise<void> {
    const journals = this.#journals;
    if (!journals) return Promise.resolve();
    this.#last = this.#last.then(async () => {
      const works = await work(journals).then(
        () => true,
        () => false,
      );
      if (works === this.#works) return;
      this.#works = works;
      this.#onHealth(works);
    });
    return this.#last;
  }
}
