import type { KeptUndo, UndoStack } from '../../../model/document/undo-stack.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import type { Recovered } from '../../protocol.ts';
import type { Backend } from '../backends/port.ts';
import { showUndo } from '../document-commands.ts';
import type { Environment, UndoEdit } from '../environment.ts';
import type { Notices } from '../store/notices.ts';
import type { Store } from '../store/store.ts';
import type { Adoption } from './adopt-journals.ts';
import { Autosave } from './autosave.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { OpenedCanvas } from './open-canvas.ts';
import type { TabDisk } from './tab-disk.ts';

type KeptCanvasOptions = {
  store: Store;
  environment: Pick<Environment, 'newId' | 'later'>;
  disk: TabDisk;
  notices: Notices;
  undo: UndoStack;
  /** Asks for the document to be checked anew. */
  check: () => void;
};

type Read = { canvas: OpenedCanvas; keptUndo: KeptUndo | null; adoption: Adoption | null };

/** Where the open project's canvas is kept: on the server, in this tab's journal, and with the undo that fits both. R31 */
export class KeptCanvas {
  readonly #options: KeptCanvasOptions;
  #autosave: Autosave | null = null;
  #journal: JournalWriter | null = null;

  constructor(options: KeptCanvasOptions) {
    this.#options = options;
  }

  /** Null until a project's canvas was read. */
  get autosave(): Autosave | null {
    return this.#autosave;
  }

  /** Shows the canvas that was read, with the undo that fits it, and keeps every edit of it from now on. */
  async begin(backend: Backend, projectId: string, { canvas, keptUndo, adoption }: Read): Promise<void> {
    const { store, environment, disk, notices, undo, check } = this.#options;
    const { document, version, edits, theirVersion, isAsLeft } = canvas;
    const journal = disk.writer((works) => this.#journalHealth(works));
    this.#autosave?.close();
    this.#autosave = new Autosave({
      store,
      backend,
      journal,
      environment,
      projectId,
      onRefused: (problem) => notices.show({ code: 'save.refused', params: { ...problem.params, cause: problem.code } }),
      onReplaced: () => {
        this.forgetUndo();
        check();
      },
    });
    store.replaceDocument(document);
    this.#journal = journal;
    if (isAsLeft && keptUndo && undo.restore(keptUndo, document)) showUndo({ store, undo });
    else this.forgetUndo();
    this.#autosave.begin(version, edits, theirVersion);
    await journal.settled();
    await adoption?.end(journal.works);
    if (!journal.works) this.#journalHealth(false);
  }

  edited(change: DocumentChange | null, undo: UndoEdit): void {
    this.#autosave?.edited(change?.patches ?? [], undo);
  }

  /** What this tab has and the server does not, for an opening that starts over. */
  get unsaved(): Recovered | null {
    const { store } = this.#options;
    const { project, save } = store.state;
    if (!project || !this.#autosave?.hasUnsaved) return null;
    return { document: store.document, version: save.version, projectId: project.id, unsaved: true };
  }

  forgetUndo(): void {
    const { store, undo } = this.#options;
    undo.clear();
    void this.#journal?.replaceUndo(null);
    showUndo({ store, undo });
  }

  /** What is not on the server by now has no place there any more. */
  async letGo(): Promise<void> {
    await this.#journal?.clear();
  }

  #journalHealth(works: boolean): void {
    const { notices, undo } = this.#options;
    if (works) notices.dismissAll('journal.denied');
    else notices.show({ code: 'journal.denied' }, 'warning', true);
    this.#autosave?.journalHealth(works);
    // What the disk refused is missing from the undo that it has.
    if (works) void this.#journal?.replaceUndo(undo.kept);
  }
}
