import type { CanvasPatch } from '../../../../contract/canvas.ts';
import type { WorkingDocument } from '../../../model/document/working-document.ts';
import type { JournalEdit } from '../environment/environment.ts';

/** An edited record, and the number of the edit. */
export type Touched = Pick<JournalEdit, 'collection' | 'id' | 'revision'>;

/** The records of a document that the server does not have yet. Their values are those of the document. */
export class UnsavedEdits {
  readonly #working: () => WorkingDocument;
  readonly #touched = new Map<string, Touched>();
  #revision = 0;

  constructor(working: () => WorkingDocument) {
    this.#working = working;
  }

  get any(): boolean {
    return this.#touched.size > 0;
  }

  /** Notes edits, and returns them for the journal. */
  note(records: readonly Pick<Touched, 'collection' | 'id'>[]): JournalEdit[] {
    return records.map(({ collection, id }) => {
      this.#revision += 1;
      const touched = { collection, id, revision: this.#revision };
      this.#touched.set(`${collection}/${id}`, touched);
      return this.#withValue(touched);
    });
  }

  all(): Touched[] {
    return [...this.#touched.values()];
  }

  /** All of them in the journal's form. */
  forJournal(): JournalEdit[] {
    return this.all().map((touched) => this.#withValue(touched));
  }

  /** Returns the patches that send these records to the server. */
  patches(touched: readonly Touched[]): CanvasPatch[] {
    return touched.map((record) => {
      const { collection, id, value } = this.#withValue(record);
      return (value === null ? { op: 'remove', collection, id } : { op: 'set', collection, id, value }) as CanvasPatch;
    });
  }

  /** The server has these. A record that was edited again since is still unsaved. */
  saved(touched: readonly Touched[]): void {
    for (const { collection, id, revision } of touched) {
      const key = `${collection}/${id}`;
      if ((this.#touched.get(key)?.revision ?? 0) <= revision) this.#touched.delete(key);
    }
  }

  clear(): void {
    this.#touched.clear();
  }

  #withValue(touched: Touched): JournalEdit {
    const { collection, id } = touched;
    const working = this.#working();
    return { ...touched, value: (collection === 'nodes' ? working.node(id) : working.link(id)) ?? null };
  }
}
