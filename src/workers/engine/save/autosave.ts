import type { Patch } from 'immer';
import type { Canvas, CanvasPatch } from '../../../../contract/canvas.ts';
import { documentDifferences } from '../../../model/document/document-differences.ts';
import type { Problem } from '../../../model/problem.ts';
import type { SaveState } from '../../../model/workspace-state.ts';
import type { Backend, BackendFault } from '../backends/port.ts';
import type { Environment, JournalSave, UndoEdit } from '../environment.ts';
import type { Store } from '../store/store.ts';
import type { JournalWriter } from './journal-writer.ts';
import { type Touched, UnsavedEdits } from './unsaved-edits.ts';

/** How long edits gather before they are sent. */
export const saveAfterMs = 400;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

type AutosaveOptions = {
  store: Store;
  backend: Backend;
  journal: JournalWriter;
  environment: Pick<Environment, 'newId' | 'later'>;
  projectId: string;
  onRefused: (problem: Problem) => void;
  /** The document was taken from the server: what was undoable is not any more. */
  onReplaced: () => void;
};

/**
 * Brings the document to the server as it is edited. Each edit is in this tab's journal at once and leaves it when the
 * server has answered; saves carry the version they build on, so that nobody is overwritten unseen.
 */
export class Autosave {
  readonly #options: AutosaveOptions;
  readonly #unsaved: UnsavedEdits;
  #version = 0;
  #saving: { save: JournalSave; touched: Touched[] } | null = null;
  #theirVersion: number | null = null;
  /** The newest version that somebody else was heard to have saved. */
  #heard = 0;
  /** News may have been missed: the server's version is to be looked at. */
  #outOfTouch = false;
  #error: Problem | null = null;
  #offline = false;
  #attempts = 0;
  #cancelTimer: (() => void) | null = null;
  #sending: Promise<void> | null = null;
  #resolving: Promise<Problem | null> | null = null;
  #catchingUp = false;
  #closed = false;

  constructor(options: AutosaveOptions) {
    this.#options = options;
    this.#unsaved = new UnsavedEdits(() => options.store.working);
  }

  /** Begins at a version; `edits` are in the document and not on the server. `theirVersion` says that somebody else saved since. */
  begin(version: number, edits: readonly CanvasPatch[], theirVersion: number | null = null): void {
    this.#version = version;
    this.#theirVersion = theirVersion;
    void this.#options.journal.replace(this.#head(), this.#unsaved.note(edits));
    if (edits.length > 0) this.#schedule(saveAfterMs);
    this.#show();
  }

  get hasUnsaved(): boolean {
    return this.#unsaved.any || this.#saving !== null;
  }

  /** Takes note of an edit that was made, and of what it did to the undo: both are on the disk, or neither. */
  edited(patches: readonly Patch[], undo: UndoEdit): void {
    const records = patches.map(({ path }) => ({ collection: path[0] as 'nodes' | 'connections', id: path[1] as string }));
    this.#touch(records, undo);
    this.#show();
  }

  /** Tries again at once, and looks for what others saved: the session, the network or the news are back. */
  retry(): void {
    this.#attempts = 0;
    this.#outOfTouch = true;
    this.#schedule(0);
  }

  /** Somebody else saved this version. Without unsaved edits it is taken; with them the next save finds the conflict. */
  async heardOf(version: number): Promise<void> {
    this.#heard = Math.max(this.#heard, version);
    await this.#catchUp();
  }

  /** The journal takes writes again, or does not any more. What it missed is written anew. */
  journalHealth(works: boolean): void {
    if (works) void this.#options.journal.replace(this.#head(), this.#unsaved.forJournal());
    this.#show();
  }

  /** Settles a conflict; answers the problem that kept it from being settled. */
  resolve(keep: 'mine' | 'theirs'): Promise<Problem | null> {
    this.#resolving ??= this.#resolve(keep).finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #resolve(keep: 'mine' | 'theirs'): Promise<Problem | null> {
    if (this.#theirVersion === null) return null;
    const { backend, projectId, environment, store, journal } = this.#options;
    const theirs = await backend.readCanvas(projectId);
    if (!theirs.ok) return theirs.fault.problem;
    if (keep === 'theirs') {
      this.#unsaved.clear();
      this.#take(theirs.value);
      await journal.clear();
      return null;
    }
    const touched = this.#unsaved.all();
    const mine = { nodes: { ...store.document.nodes }, connections: { ...store.document.connections }, baseVersion: theirs.value.version };
    const saved = await backend.putCanvas(projectId, mine, { idempotencyKey: environment.newId() });
    if (!saved.ok) return saved.fault.problem;
    this.#theirVersion = null;
    this.#acknowledge(saved.value.version, touched);
    return null;
  }

  /** Sends what is pending and waits for the answer, once. */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#sending;
    await this.#save();
    await this.#options.journal.settled();
  }

  /** Does nothing any more; an answer that is still to come is left to the journal's next reader. */
  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #touch(records: readonly Pick<Touched, 'collection' | 'id'>[], undo: UndoEdit): void {
    void this.#options.journal.write(this.#head(), this.#unsaved.note(records), undo);
    if (records.length === 0) return;
    const refused = this.#error !== null && !this.#offline;
    if (refused) this.#cancelTimer?.();
    if (refused) this.#cancelTimer = null;
    this.#schedule(saveAfterMs);
  }

  #head() {
    return { baseVersion: this.#version, saving: this.#saving?.save ?? null };
  }

  #schedule(ms: number): void {
    if (this.#closed || (this.#cancelTimer && ms > 0)) return;
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.environment.later(ms, () => {
      this.#cancelTimer = null;
      void this.#save();
    });
  }

  #save(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
      if (this.hasUnsaved && this.#attempts === 0 && !this.#error && this.#theirVersion === null) this.#schedule(saveAfterMs);
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    if (this.#closed || this.#theirVersion !== null) return;
    if (!this.hasUnsaved) return this.#catchUp();
    const { backend, projectId, journal, environment } = this.#options;
    if (!this.#saving) {
      const touched = this.#unsaved.all();
      const save = { idempotencyKey: environment.newId(), baseVersion: this.#version, patches: this.#unsaved.patches(touched) };
      this.#saving = { save, touched };
      await journal.write(this.#head(), []);
    }
    const { save, touched } = this.#saving;
    this.#show();
    const answer = await backend.patchCanvas(
      projectId,
      { baseVersion: save.baseVersion, patches: save.patches as CanvasPatch[] },
      { idempotencyKey: save.idempotencyKey },
    );
    if (this.#closed) return;
    if (answer.ok) {
      this.#saving = null;
      this.#acknowledge(answer.value.version, touched);
      return;
    }
    await this.#failed(answer.fault);
  }

  async #failed(fault: BackendFault): Promise<void> {
    this.#attempts += 1;
    switch (fault.kind) {
      case 'unauthenticated':
        this.#offline = true;
        break;
      case 'unreachable':
        this.#offline = true;
        this.#error = fault.problem;
        this.#schedule(fault.retryAfterMs ?? Math.min(longestRetryMs, firstRetryMs * 2 ** (this.#attempts - 1)));
        break;
      case 'stale':
        this.#saving = null;
        this.#offline = false;
        await this.#compare();
        break;
      case 'refused':
        // The same request would be refused again; the next one is built anew.
        this.#saving = null;
        this.#offline = false;
        this.#error = fault.problem;
        if (this.#attempts === 1) this.#options.onRefused(fault.problem);
        this.#schedule(longestRetryMs);
        break;
      default:
        fault.kind satisfies never;
    }
    this.#show();
  }

  /** Somebody else saved first: a conflict, unless they saved the very same. The journal keeps all that sets mine apart. */
  async #compare(): Promise<void> {
    const { backend, projectId, store, journal } = this.#options;
    const theirs = await backend.readCanvas(projectId);
    if (this.#closed) return;
    if (!theirs.ok) {
      this.#schedule(longestRetryMs);
      return;
    }
    const { version } = theirs.value;
    const differences = documentDifferences(theirs.value, store.document);
    if (differences.length === 0) {
      this.#acknowledge(version, this.#unsaved.all());
      return;
    }
    this.#theirVersion = version;
    void journal.replace(this.#head(), this.#unsaved.note(differences));
  }

  /** Takes what others saved, also what is heard of while it is read, unless this tab has edits of its own to save first. */
  async #catchUp(): Promise<void> {
    if (this.#catchingUp) return;
    this.#catchingUp = true;
    try {
      while (this.#isBehind() && (await this.#takeTheirs()));
    } finally {
      this.#catchingUp = false;
    }
  }

  #isBehind(): boolean {
    const isFree = !this.#closed && !this.hasUnsaved && this.#theirVersion === null;
    return isFree && (this.#outOfTouch || this.#heard > this.#version);
  }

  /** Whether the server's canvas was taken, or is the one that this tab has. */
  async #takeTheirs(): Promise<boolean> {
    const { backend, projectId } = this.#options;
    const wasOutOfTouch = this.#outOfTouch;
    this.#outOfTouch = false;
    const theirs = await backend.readCanvas(projectId);
    if (this.#closed) return false;
    if (!theirs.ok || this.hasUnsaved || this.#theirVersion !== null) {
      this.#outOfTouch ||= wasOutOfTouch;
      if (!theirs.ok && theirs.fault.kind === 'unreachable') this.#schedule(longestRetryMs);
      return false;
    }
    const isNewer = theirs.value.version > this.#version;
    if (isNewer) this.#take(theirs.value);
    return isNewer || this.#outOfTouch;
  }

  #acknowledge(version: number, touched: readonly Touched[]): void {
    this.#version = version;
    this.#attempts = 0;
    this.#offline = false;
    this.#error = null;
    this.#unsaved.saved(touched);
    void this.#options.journal.acknowledge(this.#head(), [...touched]);
    if (this.#unsaved.any) this.#schedule(saveAfterMs);
    else if (this.#heard > version) this.#schedule(0);
    this.#show();
  }

  #take(theirs: Canvas): void {
    const { store, onReplaced } = this.#options;
    this.#version = theirs.version;
    this.#theirVersion = null;
    this.#error = null;
    const change = store.working.apply(documentDifferences(store.document, theirs).map(asPatch));
    if (change) store.documentChanged(change);
    onReplaced();
    this.#show();
  }

  #show(): void {
    const next = this.#state();
    this.#options.store.update((draft) => {
      if (JSON.stringify(draft.save) !== JSON.stringify(next)) draft.save = next;
    });
  }

  #state(): SaveState {
    const version = this.#version;
    const unkept = this.#options.journal.works ? {} : { unkept: true as const };
    if (this.#theirVersion !== null) return { status: 'conflict', version, theirVersion: this.#theirVersion, ...unkept };
    if (this.hasUnsaved) {
      const status = this.#offline ? 'offline' : this.#saving ? 'saving' : 'pending';
      return this.#error ? { status, version, error: this.#error, ...unkept } : { status, version, ...unkept };
    }
    return this.#options.journal.works ? { status: 'saved', version } : { status: 'failed', version, error: { code: 'journal.denied' } };
  }
}

/** A record patch in the form that a working document applies. */
function asPatch(patch: CanvasPatch): Patch {
  const path = [patch.collection, patch.id];
  return patch.op === 'remove' ? { op: 'remove', path } : { op: 'replace', path, value: patch.value };
}
