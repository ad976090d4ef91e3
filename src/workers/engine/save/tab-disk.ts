import type { KeptUndo } from '../../../model/document/undo-stack.ts';
import type { Environment, JournalKey, Journals } from '../environment.ts';
import { type Adoption, adoptJournals } from './adopt-journals.ts';
import { JournalWriter } from './journal-writer.ts';
import { readKeptUndo } from './kept-undo.ts';

/** How long a reload's predecessor may take to let go of the tab's name. */
const tabWaitMs = 1_500;

/** A tab's name among the live tabs of its browser, and its place in their journals. */
export class TabDisk {
  readonly #environment: Pick<Environment, 'locks' | 'newId' | 'openJournals' | 'warn'>;
  readonly #waitMs: number;
  #tabId: string;
  #claim: Promise<void> | null = null;
  #release: (() => void) | null = null;
  #journals: Journals | null = null;
  #adoption: Adoption | null = null;
  #key: JournalKey | null = null;

  constructor(environment: Pick<Environment, 'locks' | 'newId' | 'openJournals' | 'warn'>, tabId: string, waitMs = tabWaitMs) {
    this.#environment = environment;
    this.#waitMs = waitMs;
    this.#tabId = tabId;
  }

  get tabId(): string {
    return this.#tabId;
  }

  /** Holds the tab's name. A duplicated tab has the name of the one it was made of, and gets one of its own. */
  claimName(): Promise<void> {
    this.#claim ??= this.#claimOnce().finally(() => {
      if (!this.#release) this.#claim = null;
    });
    return this.#claim;
  }

  async #claimOnce(): Promise<void> {
    const { locks, newId } = this.#environment;
    this.#release = await locks.hold(this.#tabId, this.#waitMs);
    if (this.#release) return;
    this.#tabId = newId();
    this.#release = await locks.hold(this.#tabId, 0);
  }

  /** Takes over what this tab may of a project's journals; null where storage is denied or cannot be read. */
  async adopt(userId: string, projectId: string): Promise<Adoption | null> {
    const { locks, openJournals, warn } = this.#environment;
    this.#key = { userId, projectId, tabId: this.#tabId };
    this.#journals ??= await openJournals().catch(() => null);
    this.#adoption = this.#journals && (await adoptJournals(this.#journals, locks, this.#key, warn).catch(() => null));
    return this.#adoption;
  }

  /** The undo that this tab kept of the project whose journals were adopted; null where there is none to be read. */
  async keptUndo(): Promise<KeptUndo | null> {
    if (!this.#key || !this.#journals || !this.#adoption) return null;
    return readKeptUndo(await this.#journals.readUndo(this.#key).catch(() => null));
  }

  /** Writes the journal that was adopted. One that could not be read is not written over either. */
  writer(onHealth: (works: boolean) => void): JournalWriter {
    if (!this.#key) throw new Error('No journal was asked for');
    return new JournalWriter(this.#adoption && this.#journals, this.#key, onHealth);
  }

  close(): void {
    this.#journals?.close();
    this.#release?.();
  }
}
