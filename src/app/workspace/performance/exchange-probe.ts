import type { Patch } from 'immer';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';

/** How often the worker is called while it is watched. */
const callEveryMs = 1_000;
/** With more patches than this in one update its size is told from as many of them. */
const patchesMeasured = 200;

export type RoundTrip = { at: number; ms: number };
/** An update from the worker; `bytes` as JSON, a null for a whole new state. */
export type UpdateSize = { at: number; patches: number; bytes: number | null };

/** Watches what goes between the page and its worker, until it is stopped. */
export class ExchangeProbe {
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = false;
  readonly #stopStore: () => void;

  constructor(
    store: WorkspaceStore,
    roundTrip: () => Promise<number>,
    heard: { roundTrip: (trip: RoundTrip) => void; update: (update: UpdateSize) => void },
  ) {
    this.#stopStore = store.subscribe((_state, patches) => heard.update(updateSize(patches, performance.now())));
    const call = async () => {
      const ms = await roundTrip();
      if (this.#stopped) return;
      heard.roundTrip({ at: performance.now(), ms });
      this.#timer = setTimeout(call, callEveryMs);
    };
    void call();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopStore();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

export function updateSize(patches: readonly Patch[] | null, at: number): UpdateSize {
  if (!patches) return { at, patches: 0, bytes: null };
  const measured = JSON.stringify(patches.slice(0, patchesMeasured)).length;
  const share = Math.min(1, patchesMeasured / Math.max(1, patches.length));
  return { at, patches: patches.length, bytes: Math.round(measured / share) };
}
