import type { Patch } from 'immer';
import { singleFlight } from '../../../../async/single-flight.ts';
import type { Canvas, CanvasPatch } from '../../../../contract/canvas.ts';
import { documentDifferences } from '../../../model/document/document-differences.ts';
import type { DocumentChange } from '../../../model/document/working-document.ts';
import type { Problem } from '../../../model/problem.ts';
import type { SaveState } from '../../../model/workspace-state.ts';
import type { BackendError } from '../backends/port.ts';
import type { EngineContext } from '../engine-context.ts';
import type { JournalSave, UndoEdit } from '../environment/environment.ts';
import type { JournalWriter } from './journal-writer.ts';
import { type Touched, UnsavedEdits } from './unsaved-edits.ts';

/** How long edits gather before they are sent. */
export const saveAfterMs = 400;
const firstRetryMs = 1_000;
const maxRetryMs = 30_000;

type AutosaveOptions = {
  journal: JournalWriter;
  projectId: string;
  onRefused: (problem: Problem) => void;
  /** Called when the document has become the server's; `change`: what differed. */
  onReplaced: (change: DocumentChange | null) => void;
};

/**
 * Saves the document to the server as it is edited. Each edit is written to this tab's journal at once and removed when the server has
 * it. A save carries the version that it builds on, so that it never overwrites an unseen change.
 */
export class Autosave {
  readonly #options: Pick<EngineContext, 'store' | 'backend' | 'environment'> & AutosaveOptions;
  readonly #unsaved: UnsavedEdits;
  #version = 0;
  #saving: { save: JournalSave; touched: Touched[] } | null = null;
  #theirVersion: number | null = null;
  /** The newest version that another tab or user is known to have saved. */
  #newestKnownVersion = 0;
  /** Messages may have been missed: the server's version has to be read. */
  #mayHaveMissedVersions = false;
  #error: Problem | null = null;
  #offline = false;
  #attempts = 0;
  #cancelTimer: (() => void) | null = null;
  #closed = false;

  constructor(context: EngineContext, options: AutosaveOptions) {
    this.#options = { ...context, ...options };
    this.#unsaved = new UnsavedEdits(() => context.store.working);
  }

  /** Begins at a version. `edits` are in the document and not on the server; `theirVersion` is a newer version of another writer. */
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

  /** Records an edit and its change to the undo stack. The journal stores both or neither. */
  edited(patches: readonly Patch[], undo: UndoEdit): void {
    const records = patches.map(({ path }) => ({ collection: path[0] as 'nodes' | 'connections', id: path[1] as string }));
    this.#touch(records, undo);
    this.#show();
  }

  /** Retries immediately and reads other writers' changes, after session, network or socket are restored. */
  retry(): void {
    this.#attempts = 0;
    this.#mayHaveMissedVersions = true;
    this.#schedule(0);
  }

  /** Another tab or user saved this version. Without unsaved edits it is loaded; with them the next save finds the conflict. */
  async noteVersion(version: number): Promise<void> {
    this.#newestKnownVersion = Math.max(this.#newestKnownVersion, version);
    await this.#loadNewerVersions();
  }

  /** Loads the server's canvas, unless this tab has unsaved edits: the server has refused a version of this tab. */
  async loadNewest(): Promise<void> {
    this.#mayHaveMissedVersions = true;
    await this.#loadNewerVersions();
  }

  /** Called when journal writes begin to fail or succeed again. Missed edits are then written again. */
  journalHealth(works: boolean): void {
    if (works) void this.#options.journal.replace(this.#head(), this.#unsaved.forJournal());
    this.#show();
  }

  /** Resolves a conflict; returns the problem that prevented it. */
  readonly resolve = singleFlight(async (keep: 'mine' | 'theirs'): Promise<Problem | null> => {
    if (this.#theirVersion === null) return null;
    const { backend, projectId, environment, store, journal } = this.#options;
    const theirs = await backend.call('project.canvas', { params: { id: projectId } });
    if (!theirs.ok) return theirs.fault.problem;
    if (keep === 'theirs') {
      this.#unsaved.clear();
      this.#adopt(theirs.value);
      await journal.clear();
      return null;
    }
    const touched = this.#unsaved.all();
    const mine = { nodes: { ...store.document.nodes }, connections: { ...store.document.connections }, baseVersion: theirs.value.version };
    const saved = await backend.call('project.putCanvas', { params: { id: projectId }, body: mine, idempotencyKey: environment.newId() });
    if (!saved.ok) return saved.fault.problem;
    this.#theirVersion = null;
    this.#acknowledge(saved.value.version, touched);
    return null;
  });

  /** Sends pending edits and waits for the answer, once. */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#save.settled();
    await this.#save();
    await this.#options.journal.settled();
  }

  /** Stops all saving. The next reader of the journal sends a save again whose answer is still to come. */
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

  readonly #save = singleFlight(async (): Promise<void> => {
    await this.#send();
    if (this.hasUnsaved && this.#attempts === 0 && !this.#error && this.#theirVersion === null) this.#schedule(saveAfterMs);
  });

  async #send(): Promise<void> {
    if (this.#closed || this.#theirVersion !== null) return;
    if (!this.hasUnsaved) return this.#loadNewerVersions();
    const { backend, projectId, journal, environment } = this.#options;
    if (!this.#saving) {
      const touched = this.#unsaved.all();
      const save = { idempotencyKey: environment.newId(), baseVersion: this.#version, patches: this.#unsaved.patches(touched) };
      this.#saving = { save, touched };
      await journal.write(this.#head(), []);
    }
    const { save, touched } = this.#saving;
    this.#show();
    const answer = await backend.call('project.patchCanvas', {
      params: { id: projectId },
      body: { baseVersion: save.baseVersion, patches: save.patches as CanvasPatch[] },
      idempotencyKey: save.idempotencyKey,
    });
    if (this.#closed) return;
    if (answer.ok) {
      this.#saving = null;
      this.#acknowledge(answer.value.version, touched);
      return;
    }
    await this.#failed(answer.fault);
  }

  async #failed(fault: BackendError): Promise<void> {
    this.#attempts += 1;
    switch (fault.kind) {
      case 'unauthenticated':
        this.#offline = true;
        break;
      case 'unreachable':
        this.#offline = true;
        this.#error = fault.problem;
        this.#schedule(fault.retryAfterMs ?? Math.min(maxRetryMs, firstRetryMs * 2 ** (this.#attempts - 1)));
        break;
      case 'stale':
        this.#saving = null;
        this.#offline = false;
        await this.#detectConflict();
        break;
      case 'refused':
        // The same request would be refused again: the next one is built from the document.
        this.#saving = null;
        this.#offline = false;
        this.#error = fault.problem;
        if (this.#attempts === 1) this.#options.onRefused(fault.problem);
        this.#schedule(maxRetryMs);
        break;
      default:
        fault.kind satisfies never;
    }
    this.#show();
  }

  /** Another writer saved first: a conflict, unless both documents are equal. The journal keeps all differences. */
  async #detectConflict(): Promise<void> {
    const { backend, projectId, store, journal } = this.#options;
    const theirs = await backend.call('project.canvas', { params: { id: projectId } });
    if (this.#closed) return;
    if (!theirs.ok) {
      this.#schedule(maxRetryMs);
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

  /** Loads other writers' versions, including those saved meanwhile, unless this tab has unsaved edits. */
  readonly #loadNewerVersions = singleFlight(async (): Promise<void> => {
    while (this.#isBehind() && (await this.#loadNewerVersion()));
  });

  #isBehind(): boolean {
    const isFree = !this.#closed && !this.hasUnsaved && this.#theirVersion === null;
    return isFree && (this.#mayHaveMissedVersions || this.#newestKnownVersion > this.#version);
  }

  /** Whether there may be more to load. */
  async #loadNewerVersion(): Promise<boolean> {
    const { backend, projectId } = this.#options;
    const mayHaveMissed = this.#mayHaveMissedVersions;
    this.#mayHaveMissedVersions = false;
    const theirs = await backend.call('project.canvas', { params: { id: projectId } });
    if (this.#closed) return false;
    if (!theirs.ok || this.hasUnsaved || this.#theirVersion !== null) {
      this.#mayHaveMissedVersions ||= mayHaveMissed;
      if (!theirs.ok && theirs.fault.kind === 'unreachable') this.#schedule(maxRetryMs);
      return false;
    }
    const isNewer = theirs.value.version > this.#version;
    if (isNewer) this.#adopt(theirs.value);
    return isNewer || this.#mayHaveMissedVersions;
  }

  #acknowledge(version: number, touched: readonly Touched[]): void {
    this.#version = version;
    this.#attempts = 0;
    this.#offline = false;
    this.#error = null;
    this.#unsaved.saved(touched);
    void this.#options.journal.acknowledge(this.#head(), [...touched]);
    if (this.#unsaved.any) this.#schedule(saveAfterMs);
    else if (this.#newestKnownVersion > version) this.#schedule(0);
    this.#show();
  }

  #adopt(theirs: Canvas): void {
    const { store, onReplaced } = this.#options;
    this.#version = theirs.version;
    this.#theirVersion = null;
    this.#error = null;
    const change = store.working.apply(documentDifferences(store.document, theirs).map(asPatch));
    if (change) store.documentChanged(change);
    onReplaced(change);
    // After a reload the undo that was kept still belongs to this version.
    if (!this.#unsaved.any) void this.#options.journal.acknowledge(this.#head(), []);
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
