import type { Patch } from 'immer';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';

/** The interval between measured calls to the worker (ms). */
const callIntervalMs = 1_000;
/** The maximum of measured patches: the size of a larger update is extrapolated from them. */
const maxMeasuredPatches = 200;

export type RoundTrip = { at: number; ms: number };
/** An update from the worker. `bytes` is its size as JSON; null for a whole new state. */
export type UpdateSize = { at: number; patches: number; bytes: number | null };

/** Measures the messages between the page and its worker until it is stopped. */
export class MessageProbe {
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
      this.#timer = setTimeout(call, callIntervalMs);
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
  const measured = JSON.stringify(patches.slice(0, maxMeasuredPatches)).length;
  const share = Math.min(1, maxMeasuredPatches / Math.max(1, patches.length));
  return { at, patches: patches.length, bytes: Math.round(measured / share) };
}
