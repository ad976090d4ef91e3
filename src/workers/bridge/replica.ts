import { enablePatches, Immer, type Patch } from 'immer';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../model/workspace-store.ts';
import { Observable } from '../../state/observable.ts';
import type { Snapshot, Update } from '../protocol.ts';
import { shareStrings } from './share-strings.ts';

enablePatches();

/** A write to the state throws in development. Elsewhere nothing is frozen: 10,000 steps would be visited at every event. */
const immer = new Immer({ autoFreeze: import.meta.env?.DEV ?? false });

/** What a listener hears: the new state, the patches that led to it, and the records that they replaced. */
type Change = Parameters<Parameters<WorkspaceStore['subscribe']>[0]>;

const nothingEarlier: Earlier = { nodes: new Map(), connections: new Map() };

/** The page's copy of the engine's state. Only snapshots and updates change it. */
export class Replica implements WorkspaceStore {
  #state: WorkspaceState;
  #epoch = '';
  #seq = 0;
  #documentSeq = 0;
  #begun = 0;
  readonly #changes = new Observable<Change>();
  /** Updates that came before an expected snapshot. */
  #early: Update[] | null = null;
  readonly #waiting = new Set<{ epoch: string; seq: number; resolve: () => void }>();
  readonly #askSnapshot: () => void;

  /** `askSnapshot` is called once each time an update does not follow the one before. */
  constructor(state: WorkspaceState, requestSnapshot: () => void) {
    this.#state = state;
    this.#askSnapshot = requestSnapshot;
  }

  getState = (): WorkspaceState => this.#state;

  readonly subscribe = this.#changes.subscribe;

  /** Holds updates back until the next snapshot. */
  expectSnapshot(): void {
    this.#early ??= [];
  }

  /** Shows whether the engine answers, which the engine itself cannot tell. */
  showEngine(engine: WorkspaceState['engine']): void {
    if (this.#state.engine === engine) return;
    this.#state = { ...this.#state, engine };
    this.#tell([{ op: 'replace', path: ['engine'], value: engine }], nothingEarlier);
  }

  load({ epoch, seq, begun, state }: Snapshot): void {
    this.#epoch = epoch;
    this.#begun = begun;
    this.#seq = seq;
    this.#documentSeq = seq;
    shareStrings(state);
    this.#state = state;
    const early = this.#early ?? [];
    this.#early = null;
    this.#tell(null, nothingEarlier);
    // Updates of an engine that died before are left out.
    for (const update of early) if (update.epoch === epoch) this.apply(update);
  }

  apply(update: Update): void {
    if (this.#early) {
      this.#early.push(update);
      return;
    }
    if (update.epoch === this.#epoch && update.seq <= this.#seq) return;
    if (update.epoch !== this.#epoch || update.seq !== this.#seq + 1) {
      this.#early = [update];
      this.#askSnapshot();
      return;
    }
    this.#seq = update.seq;
    this.#begun = update.begun;
    if (update.patches.some(({ path }) => path[0] === 'document')) this.#documentSeq = update.seq;
    const { state, earlier } = applyUpdate(this.#state, update.patches);
    this.#state = state;
    this.#tell(update.patches, earlier);
  }

  /** Resolves when the workspace is opened, or cannot be. */
  opened(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#state.status !== 'opening') return resolve();
      const stop = this.subscribe(({ status }) => {
        if (status === 'opening') return;
        stop();
        resolve();
      });
    });
  }

  /** Names the newest update of the document that the replica shows. */
  documentPlace(): string {
    return `${this.#epoch} ${this.#documentSeq}`;
  }

  /** The commands of the shown engine of which the replica may show changes. */
  get begun(): number {
    return this.#begun;
  }

  /** Resolves when the replica shows this update, or a state of another epoch. */
  reached(epoch: string, seq: number): Promise<void> {
    if (epoch !== this.#epoch || seq <= this.#seq) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ epoch, seq, resolve }));
  }

  #tell(patches: readonly Patch[] | null, earlier: Earlier): void {
    this.#changes.notify(this.#state, patches, earlier);
    for (const waiter of this.#waiting) {
      if (waiter.epoch === this.#epoch && waiter.seq > this.#seq) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

/**
 * Returns the state after an update, and the replaced records. Patches of the document are whole records, which are set in its
 * collections in place: a copy of 10,000 would take 2 to 3 ms. Immer applies only the other patches: it would traverse and freeze
 * the whole document.
 */
export function applyUpdate(state: WorkspaceState, patches: readonly Patch[]): { state: WorkspaceState; earlier: Earlier } {
  let { document, ...rest } = state;
  const earlier = { nodes: new Map<string, CanvasNode | undefined>(), connections: new Map<string, Connection | undefined>() };
  let others: Patch[] = [];
  for (const { op, path, value } of patches) {
    // A whole part comes from a message: no other code refers to it.
    if (path.length === 1) shareStrings(value);
    const [part, collection, id] = path as [string, 'nodes' | 'connections', string];
    if (part !== 'document') {
      if (path.length > 1) others.push({ op, path, value });
      else {
        rest = { ...(others.length > 0 ? immer.applyPatches(rest, others) : rest), [part]: value };
        others = [];
      }
      continue;
    }
    if (path.length === 1) {
      document = value;
      earlier.nodes.clear();
      earlier.connections.clear();
      continue;
    }
    const record = op === 'remove' ? undefined : value;
    if (collection === 'nodes') put(document.nodes, earlier.nodes, id, record);
    else put(document.connections, earlier.connections, id, record);
  }
  // A new document object for readers that compare by identity.
  if (earlier.nodes.size + earlier.connections.size > 0) document = { ...document };
  return { state: { ...(others.length > 0 ? immer.applyPatches(rest, others) : rest), document }, earlier };
}

/** Sets a record of a collection and keeps the earlier one; undefined removes it. */
function put<T>(records: Record<string, T>, earlier: Map<string, T | undefined>, id: string, record: T | undefined): void {
  if (!earlier.has(id)) earlier.set(id, records[id]);
  if (record === undefined) delete records[id];
  else records[id] = record;
}
