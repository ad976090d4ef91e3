import type { Patch } from 'immer';
import type { Canvas, CanvasPatch } from '../../../../contract/canvas.ts';
import { documentDifferences } from '../../../model/document-differences.ts';
import type { Problem } from '../../../model/problem.ts';
import type { SaveState } from '../../../model/workspace-state.ts';

import type { Backend, BackendFault } from '../backends/port.ts';
import type { Environment, JournalEdit, JournalSave } from '../environment.ts';
import type { Store } from '../store/store.ts';
import type { JournalWriter } from './journal-writer.ts';

/** How long edits gather before they are sent. */
export const saveAfterMs = 400;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

type Touched = Pick<JournalEdit, 'collection' | 'id' | 'revision'>;

export type AutosaveOptions = {
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
 * server has answered; saves carry the version they build on, so that nobody is overwritten unseen. R31
 */
export class Autosave {
  readonly #options: AutosaveOptions;
  #version = 0;
  #revision = 0;
  readonly #pending = new Map<string, Touched>();
  #saving: { save: JournalSave; touched: Touched[] } | null = null;
  #theirVersion: number | null = null;
  #error: Problem | null = null;
  #offline = false;
  #attempts = 0;
  #cancelTimer: (() => void) | null = null;
  #sending: Promise<void> | null = null;

  constructor(options: AutosaveOptions) {
    this.#options = options;
  }

  /** Begins at a version; `edits` are in the document and not on the server. `theirVersion` says that somebody else saved since. */
  begin(version: number, edits: readonly CanvasPatch[], theirVersion: number | null = null): void {
    this.#version = version;
    this.#theirVersion = theirVersion;
    void this.#options.journal.replace(this.#head(), this.#note(edits));
    if (edits.length > 0) this.#schedule(saveAfterMs);
    this.#show();
  }

  get hasUnsaved(): boolean {
    return this.#pending.size > 0 || this.#saving !== null;
  }

  /** Takes note of an edit that was made. */
  edited(patches: readonly Patch[]): void {
    this.#touch(patches.map(({ path }) => ({ collection: path[0] as 'nodes' | 'connections', id: path[1] as string })));
    this.#show();
  }

  /** Tries again at once: the session or the network is back. */
  retry(): void {
    this.#attempts = 0;
    if (this.hasUnsaved) this.#schedule(0);
  }

  /** Somebody else saved this version. Without unsaved edits it is taken; with them the next save finds the conflict. */
  async heardOf(version: number): Promise<void> {
    if (version <= this.#version || this.hasUnsaved || this.#theirVersion !== null) return;
    const theirs = await this.#options.backend.readCanvas(this.#options.projectId);
    if (theirs.ok && theirs.value.version > this.#version && !this.hasUnsaved) this.#take(theirs.value);
  }

  /** Settles a conflict; answers the problem that kept it from being settled. */
  async resolve(keep: 'mine' | 'theirs'): Promise<Problem | null> {
    if (this.#theirVersion === null) return null;
    const { backend, projectId, environment, store, journal } = this.#options;
    const theirs = await backend.readCanvas(projectId);
    if (!theirs.ok) return theirs.fault.problem;
    if (keep === 'theirs') {
      this.#pending.clear();
      this.#take(theirs.value);
      await journal.clear();
      return null;
    }
    const touched = [...this.#pending.values()];
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

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #touch(records: readonly Pick<Touched, 'collection' | 'id'>[]): void {
    void this.#options.journal.write(this.#head(), this.#note(records));
    const refused = this.#error !== null && !this.#offline;
    if (refused) this.#cancelTimer?.();
    if (refused) this.#cancelTimer = null;
    this.#schedule(saveAfterMs);
  }

  #note(records: readonly Pick<Touched, 'collection' | 'id'>[]): JournalEdit[] {
    return records.map(({ collection, id }) => {
      this.#revision += 1;
      const touched = { collection, id, revision: this.#revision };
      this.#pending.set(`${collection}/${id}`, touched);
      return { ...touched, value: this.#valueOf(touched) };
    });
  }

  #valueOf({ collection, id }: Pick<Touched, 'collection' | 'id'>) {
    const { working } = this.#options.store;
    return (collection === 'nodes' ? working.node(id) : working.link(id)) ?? null;
  }

  #head() {
    return { baseVersion: this.#version, saving: this.#saving?.save ?? null };
  }

  #schedule(ms: number): void {
    if (this.#cancelTimer && ms > 0) return;
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
    if (this.#theirVersion !== null || !this.hasUnsaved) return;
    const { backend, projectId, journal, environment } = this.#options;
    if (!this.#saving) {
      const touched = [...this.#pending.values()];
      const save = {
        idempotencyKey: environment.newId(),
        baseVersion: this.#version,
        patches: touched.map((record) => this.#patchOf(record)),
      };
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
        await this.#compare();
        break;
      case 'refused':
        // The same request would be refused again; the next one is built anew.
        this.#saving = null;
        this.#error = fault.problem;
        if (this.#attempts === 1) this.#options.onRefused(fault.problem);
        this.#schedule(longestRetryMs);
        break;
      default:
        fault.kind satisfies never;
    }
    this.#show();
  }

  /** Somebody else saved first: a conflict, unless they saved the very same. */
  async #compare(): Promise<void> {
    const { backend, projectId, store } = this.#options;
    const theirs = await backend.readCanvas(projectId);
    if (!theirs.ok) {
      this.#schedule(longestRetryMs);
      return;
    }
    if (documentDifferences(theirs.value, store.document).length === 0)
      this.#acknowledge(theirs.value.version, [...this.#pending.values()]);
    else this.#theirVersion = theirs.value.version;
  }

  #acknowledge(version: number, touched: readonly Touched[]): void {
    this.#version = version;
    this.#attempts = 0;
    this.#offline = false;
    this.#error = null;
    for (const { collection, id, revision } of touched) {
      const key = `${collection}/${id}`;
      if ((this.#pending.get(key)?.revision ?? 0) <= revision) this.#pending.delete(key);
    }
    void this.#options.journal.acknowledge(this.#head(), [...touched]);
    if (this.#pending.size > 0) this.#schedule(saveAfterMs);
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

  #patchOf(record: Touched): CanvasPatch {
    const value = this.#valueOf(record);
    return (
      value
        ? { op: 'set', collection: record.collection, id: record.id, value }
        : { op: 'remove', collection: record.collection, id: record.id }
    ) as CanvasPatch;
  }

  #show(): void {
    const next = this.#state();
    this.#options.store.update((draft) => {
      if (JSON.stringify(draft.save) !== JSON.stringify(next)) draft.save = next;
    });
  }

  #state(): SaveState {
    const version = this.#version;
    if (this.#theirVersion !== null) return { status: 'conflict', version, theirVersion: this.#theirVersion };
    if (this.hasUnsaved) {
      const status = this.#offline ? 'offline' : this.#saving ? 'saving' : 'pending';
      return this.#error ? { status, version, error: this.#error } : { status, version };
    }
    return this.#options.journal.works ? { status: 'saved', version } : { status: 'failed', version, error: { code: 'journal.denied' } };
  }
}

/** A record patch in the form that a working document applies. */
export function asPatch(patch: CanvasPatch): Patch {
  const path = [patch.collection, patch.id];
  return patch.op === 'remove' ? { op: 'remove', path } : { op: 'replace', path, value: patch.value };
}
