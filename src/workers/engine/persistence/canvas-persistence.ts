import type { KeptUndo } from '../../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Recovered } from '../../protocol.ts';
import { learnAgents } from '../agents/agent-list.ts';
import type { DocumentModule } from '../document/document-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { Adoption } from './adopt-journals.ts';
import { Autosave } from './autosave.ts';
import type { JournalOwner } from './journal-owner.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { OpenedCanvas } from './open-canvas.ts';

type Read = { canvas: OpenedCanvas; keptUndo: KeptUndo | null; adoption: Adoption | null };

/** Persists the open project's canvas on the server and in this tab's journal, with the matching undo stack. R31 */
export class CanvasPersistence {
  readonly #context: EngineContext;
  readonly #document: DocumentModule;
  readonly #journalOwner: JournalOwner;
  #autosave: Autosave | null = null;
  #journal: JournalWriter | null = null;
  readonly #askedAgents = new Set<string>();

  constructor(context: EngineContext, document: DocumentModule, journalOwner: JournalOwner) {
    this.#context = context;
    this.#document = document;
    this.#journalOwner = journalOwner;
  }

  /** Null until a project's canvas was read. */
  get autosave(): Autosave | null {
    return this.#autosave;
  }

  /** Shows the canvas that was read, with the undo that fits it, and saves every edit from now on. */
  async begin(projectId: string, { canvas, keptUndo, adoption }: Read): Promise<void> {
    const { store, notices } = this.#context;
    const { document, version, edits, theirVersion, isAsLeft } = canvas;
    const journal = this.#journalOwner.writer((works) => this.#journalHealth(works));
    this.#autosave?.close();
    this.#autosave = new Autosave(this.#context, {
      journal,
      projectId,
      onRefused: (problem) => notices.show({ code: 'save.refused', params: { ...problem.params, cause: problem.code } }),
      onReplaced: (change) => {
        this.#settleUndo(change);
        this.#document.check.soon();
        if (change) void learnAgents(this.#context, change, this.#askedAgents).then(() => this.#document.check.soon());
      },
    });
    store.replaceDocument(document);
    this.#journal = journal;
    if (isAsLeft && keptUndo && this.#document.undo.restore(keptUndo, document)) this.#document.showUndo();
    else this.forgetUndo();
    this.#autosave.begin(version, edits, theirVersion);
    await journal.settled();
    await adoption?.end(journal.works);
    if (!journal.works) this.#journalHealth(false);
  }

  /** Sends unsaved edits and waits for the answer, once. */
  async flush(): Promise<void> {
    await this.#autosave?.flush();
  }

  /** Resolves when the edits that wait are made; null if none waits. */
  get waiting(): Promise<unknown> | null {
    return this.#document.waiting();
  }

  /** Saves unsaved edits before a run is made from the document. Returns a problem while the user has to choose between two canvases. */
  async settle(): Promise<Problem | null> {
    await this.waiting;
    if (this.#autosave?.hasUnsaved) await this.#autosave.flush();
    return this.#context.store.state.save.status === 'conflict' ? { code: 'run.canvasConflict' } : null;
  }

  /** Loads the server's canvas, unless this tab has unsaved edits. */
  async loadNewest(): Promise<void> {
    await this.#autosave?.loadNewest();
  }

  /** The document, when it has edits that the server lacks: for the next opening. */
  get unsaved(): Recovered | null {
    const { store } = this.#context;
    const { project, save } = store.state;
    if (!project || !this.#autosave?.hasUnsaved) return null;
    return { document: store.document, version: save.version, projectId: project.id, unsaved: true };
  }

  /** Keeps the undo over a change of another tab or user that stands apart from it. Else no step can be trusted, which is said. */
  #settleUndo(change: DocumentChange | null): void {
    const { undo } = this.#document;
    if (!change || undo.isEmpty || undo.standsApart(change)) return;
    this.forgetUndo();
    this.#context.notices.show({ code: 'undo.lost' }, 'warning');
  }

  /** Removes all undo steps, also from the journal. */
  forgetUndo(): void {
    this.#document.undo.clear();
    void this.#journal?.replaceUndo(null);
    this.#document.showUndo();
  }

  async clearJournal(): Promise<void> {
    await this.#journal?.clear();
  }

  #journalHealth(works: boolean): void {
    const { notices } = this.#context;
    if (works) notices.dismissAll('journal.denied');
    else notices.show({ code: 'journal.denied' }, 'warning', true);
    this.#autosave?.journalHealth(works);
    // The undo in the journal lacks the steps that the disk refused.
    if (works) void this.#journal?.replaceUndo(this.#document.undo.kept);
  }
}
