import { type Draft, enablePatches, type Patch, produceWithPatches } from 'immer';
import { type Throttled, throttle } from '../../../../async/throttle.ts';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { type DocumentChange, WorkingDocument } from '../../../model/document/working-document.ts';
import type { WorkspaceState } from '../../../model/workspace-state.ts';
import type { Snapshot, Update } from '../../protocol.ts';

enablePatches();

/** The page gets at most one batch of changes a frame (ms). The first change after a pause is sent immediately. */
export const batchMs = 16;

type Rest = Omit<WorkspaceState, 'document'>;

/**
 * Owns the workspace's state. The document is edited in place, record by record, so that the cost of an edit depends on its size.
 * The rest changes by immer recipes, one for each burst. Every change is sent as patches.
 */
export class Store {
  readonly epoch: string;
  #seq = 0;
  #begun = 0;
  #rest: Rest;
  #working: WorkingDocument;
  #patches: Patch[] = [];
  readonly #flushSoon: Throttled;
  #cancelPreparing: (() => void) | null = null;
  #together = false;
  #post: ((update: Update) => void) | null = null;
  readonly #later: (ms: number, task: () => void) => () => void;

  constructor(state: WorkspaceState, epoch: string, later: (ms: number, task: () => void) => () => void) {
    const { document, ...rest } = state;
    this.#rest = rest;
    this.#working = new WorkingDocument(document);
    this.epoch = epoch;
    this.#later = later;
    this.#flushSoon = throttle(() => this.#flush(), { ms: batchMs, later });
  }

  /** The state without the document. */
  get state(): Rest {
    return this.#rest;
  }

  get working(): WorkingDocument {
    return this.#working;
  }

  get document(): CanvasDocument {
    return this.#working.document;
  }

  /** The number of the update that will carry, or has carried, the newest change. */
  get seq(): number {
    return this.#patches.length > 0 ? this.#seq + 1 : this.#seq;
  }

  /** Counts a command whose changes come from now on. */
  beginCommand(): void {
    this.#begun += 1;
  }

  /** Posts every change from now on. */
  connect(post: (update: Update) => void): void {
    this.#post = post;
  }

  /** The whole state; changes before it are posted first. */
  snapshot(): Snapshot {
    this.#flush();
    return { epoch: this.epoch, seq: this.#seq, begun: this.#begun, state: { ...this.#rest, document: this.#working.document } };
  }

  /** Changes any part except the document. Prefer one call for many changes: each call has a cost. */
  update(recipe: (draft: Draft<Rest>) => void): void {
    const [next, patches] = produceWithPatches(this.#rest, (draft) => void recipe(draft));
    if (patches.length === 0) return;
    this.#rest = next;
    this.#add(patches);
  }

  /** Called with every change of the document, and with null when it was replaced. */
  onDocumentChanged: ((change: DocumentChange | null) => void) | null = null;

  /** Sends the changes of an edit of the working document. */
  documentChanged(change: DocumentChange): void {
    this.onDocumentChanged?.(change);
    this.#add(change.patches.map((patch) => ({ ...patch, path: ['document', ...patch.path] })));
  }

  /** Replaces the document. */
  replaceDocument(document: CanvasDocument): void {
    this.#working = new WorkingDocument(document);
    this.onDocumentChanged?.(null);
    this.#patches = this.#patches.filter(({ path }) => path[0] !== 'document');
    this.#add([{ op: 'replace', path: ['document'], value: this.#working.document }]);
    // After the document was sent, and before the first edit, whose reply is awaited.
    this.#cancelPreparing?.();
    this.#cancelPreparing = this.#later(batchMs, () => this.#working.prepare());
  }

  /** Posts all that `work` changes as one update. */
  together(work: () => void): void {
    this.#together = true;
    try {
      work();
    } finally {
      this.#together = false;
      if (this.#patches.length > 0) this.#flushSoon();
    }
  }

  close(): void {
    this.#flush();
    this.#flushSoon.cancel();
    this.#cancelPreparing?.();
    this.#post = null;
  }

  #add(patches: Patch[]): void {
    for (const patch of patches) this.#patches.push(patch);
    if (!this.#together) this.#flushSoon();
  }

  #flush(): void {
    if (this.#patches.length === 0) return;
    const patches = this.#patches;
    this.#patches = [];
    this.#seq += 1;
    this.#post?.({ epoch: this.epoch, seq: this.#seq, begun: this.#begun, patches });
  }
}
