/** Where texts survive a reload: a part of the browser's `Storage`. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Unsent texts of a project's dialogs, kept in the browser's storage until they are sent. Where the storage is full or
 * refused, or without a project, they live as long as the page.
 */
export class DialogDrafts {
  readonly #texts = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #storage: DraftStorage | null;
  readonly #projectId: string | null;

  constructor(storage: DraftStorage | null, projectId: string | null) {
    this.#storage = storage;
    this.#projectId = projectId;
  }

  read(nodeId: string): string {
    let text = this.#texts.get(nodeId);
    if (text === undefined) {
      text = this.#stored(nodeId);
      this.#texts.set(nodeId, text);
    }
    return text;
  }

  write(nodeId: string, text: string): void {
    if (this.read(nodeId) === text) return;
    this.#texts.set(nodeId, text);
    this.#store(nodeId, text);
    for (const listener of this.#listeners) listener();
  }

  /** Takes away a text that was accepted, unless it has been changed since it was sent. */
  sent(nodeId: string, text: string): void {
    if (this.read(nodeId) === text) this.write(nodeId, '');
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #stored(nodeId: string): string {
    if (this.#projectId === null) return '';
    try {
      return this.#storage?.getItem(this.#key(nodeId)) ?? '';
    } catch {
      return '';
    }
  }

  #store(nodeId: string, text: string): void {
    if (this.#projectId === null) return;
    try {
      if (text === '') this.#storage?.removeItem(this.#key(nodeId));
      else this.#storage?.setItem(this.#key(nodeId), text);
    } catch {
      // A full or refused storage costs the draft's survival of a reload, never the text on the screen.
    }
  }

  #key(nodeId: string): string {
    return `draft:${this.#projectId}:${nodeId}`;
  }
}
