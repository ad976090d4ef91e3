import type { CanvasNode } from '../../../../contract/canvas.ts';
import { failed, type Outcome, type Problem } from '../../../model/problem.ts';
import { Observable } from '../../../state/observable.ts';

/** The part of the browser's `Storage` that keeps texts over a reload. */
type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whether a dialog's text is being sent, and why the last attempt failed. */
type Sending = { isUnderWay: boolean; problem: Problem | null };

/** What is kept of a dialog: its text, and the id of its set of files. */
type Kept = 'draft' | 'files';

/** A refused message whose form is not on the page, so that no form shows the reason. */
export type UnseenRefusal = { dialogTitle: string; problem: Problem };

/** The code of a task that is refused because files of its run are being added. */
const filesUnderWay = 'dialog.filesUnderWay';
const nothingSent: Sending = { isUnderWay: false, problem: null };

/**
 * Unsent texts of a project's dialogs, and the sets of files that go with them. They are kept in the browser's storage until they are
 * sent; without a storage or a project they live as long as the page. The state of sending is kept here too, because a form unmounts
 * when its card is too small or out of view.
 */
export class DialogDrafts extends Observable {
  readonly #texts = new Map<string, string>();
  readonly #sendings = new Map<string, Sending>();
  readonly #inputSets = new Map<string, string | null>();
  readonly #adding = new Set<string>();
  /** The number of mounted forms of each dialog. */
  readonly #forms = new Map<string, number>();
  readonly #storage: DraftStorage | null;
  readonly #projectId: string | null;
  readonly #reportUnseen: (refusal: UnseenRefusal) => void;

  constructor(storage: DraftStorage | null, projectId: string | null, reportUnseen: (refusal: UnseenRefusal) => void = () => {}) {
    super();
    this.#storage = storage;
    this.#projectId = projectId;
    this.#reportUnseen = reportUnseen;
  }

  /**
   * Takes over the texts that were written before the project was known, which stand on the screen. Texts of another project stay
   * with it.
   */
  takeOver(earlier: DialogDrafts): this {
    if (earlier.#projectId === null) for (const [nodeId, text] of earlier.#texts) if (text !== '') this.write(nodeId, text);
    return this;
  }

  /** Called when a form is mounted: it shows why a message is refused. The returned function is called when it unmounts. */
  addForm(nodeId: string): () => void {
    this.#countForms(nodeId, 1);
    return () => this.#countForms(nodeId, -1);
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
    this.notify();
  }

  /** The set of files that goes with the dialog's next run; null without any. */
  inputSetId(nodeId: string): string | null {
    let id = this.#inputSets.get(nodeId);
    if (id === undefined) {
      id = this.#stored(nodeId, 'files') || null;
      this.#inputSets.set(nodeId, id);
    }
    return id;
  }

  keepInputSet(nodeId: string, id: string | null): void {
    if (this.inputSetId(nodeId) === id) return;
    this.#inputSets.set(nodeId, id);
    this.#store(nodeId, id ?? '', 'files');
    this.notify();
  }

  /** Whether files are being added. Meanwhile a message is refused, because its run would miss them. */
  isAddingFiles(nodeId: string): boolean {
    return this.#adding.has(nodeId);
  }

  /** At the end a message that was refused because of the files can be sent. */
  setAddingFiles(nodeId: string, isAdding: boolean): void {
    if (isAdding) this.#adding.add(nodeId);
    else this.#adding.delete(nodeId);
    this.notify();
    if (!isAdding && this.sending(nodeId).problem?.code === filesUnderWay) this.forgetProblem(nodeId);
  }

  sending(nodeId: string): Sending {
    return this.#sendings.get(nodeId) ?? nothingSent;
  }

  /**
   * Delivers the text, or `task`, which may be another one, unless files are being added; a second call during a delivery does nothing. An
   * accepted text is removed, a refused one stays with its problem. A refusal without a form on the page is also reported, once. Resolves
   * with whether it was accepted.
   */
  async send(
    { id: nodeId, title }: Pick<CanvasNode, 'id' | 'title'>,
    deliver: (text: string) => Promise<Outcome<unknown>>,
    task?: string,
  ): Promise<boolean> {
    if (this.sending(nodeId).isUnderWay) return false;
    const written = this.read(nodeId);
    const text = task ?? written;
    this.#setSending(nodeId, { isUnderWay: true, problem: null });
    const outcome = this.isAddingFiles(nodeId) ? failed(filesUnderWay) : await deliver(text).catch(() => failed('engine.restarted'));
    this.#setSending(nodeId, { isUnderWay: false, problem: outcome.ok ? null : outcome.error });
    if (outcome.ok && text.trim() === written.trim()) this.sent(nodeId, written);
    if (!outcome.ok && !this.#forms.has(nodeId)) this.#reportUnseen({ dialogTitle: title, problem: outcome.error });
    return outcome.ok;
  }

  /** Clears the problem: its cause is gone, or the text was changed. */
  forgetProblem(nodeId: string): void {
    const { isUnderWay, problem } = this.sending(nodeId);
    if (problem) this.#setSending(nodeId, { isUnderWay, problem: null });
  }

  /** Removes an accepted text, unless it was changed after it was sent. */
  sent(nodeId: string, text: string): void {
    if (this.read(nodeId) === text) this.write(nodeId, '');
  }

  #countForms(nodeId: string, change: 1 | -1): void {
    const count = (this.#forms.get(nodeId) ?? 0) + change;
    if (count > 0) this.#forms.set(nodeId, count);
    else this.#forms.delete(nodeId);
  }

  #setSending(nodeId: string, sending: Sending): void {
    this.#sendings.set(nodeId, sending);
    this.notify();
  }

  #stored(nodeId: string, kind: Kept = 'draft'): string {
    if (this.#projectId === null) return '';
    try {
      return this.#storage?.getItem(this.#key(nodeId, kind)) ?? '';
    } catch {
      return '';
    }
  }

  #store(nodeId: string, text: string, kind: Kept = 'draft'): void {
    if (this.#projectId === null) return;
    try {
      if (text === '') this.#storage?.removeItem(this.#key(nodeId, kind));
      else this.#storage?.setItem(this.#key(nodeId, kind), text);
    } catch {
      // With a full or denied storage the draft is lost at a reload. The text on the screen stays.
    }
  }

  #key(nodeId: string, kind: Kept): string {
    return `${kind}:${this.#projectId}:${nodeId}`;
  }
}
