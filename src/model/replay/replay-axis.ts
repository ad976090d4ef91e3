import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';

/** With idle time cut, a pause between two events counts as this at most (ms). */
export const maxIdleMs = 1_000;

/**
 * The places of a run's events on the axis of its replay: ms since the first event, never falling. With `cutsIdle` a long pause counts
 * as `maxIdleMs`.
 */
export class ReplayAxis {
  readonly #cutsIdle: boolean;
  /** By event: the place on the axis, and the time (ms since the epoch). */
  readonly #places: number[] = [];
  readonly #times: number[] = [];

  constructor(events: readonly Pick<ExecutionEvent, 'at'>[], cutsIdle: boolean) {
    this.#cutsIdle = cutsIdle;
    for (const event of events) this.add(event);
  }

  add({ at }: Pick<ExecutionEvent, 'at'>): void {
    const last = this.#times.at(-1);
    // Clocks of two nodes may differ: an event is never before the one that it follows.
    const time = Math.max(Date.parse(at), last ?? 0);
    const pause = last === undefined ? 0 : time - last;
    this.#places.push((this.#places.at(-1) ?? 0) + (this.#cutsIdle ? Math.min(pause, maxIdleMs) : pause));
    this.#times.push(time);
  }

  /** The number of events. */
  get length(): number {
    return this.#places.length;
  }

  /** The place of the last event (ms). */
  get durationMs(): number {
    return this.#places.at(-1) ?? 0;
  }

  /** Returns the place of an event, counted from 1; 0 stands for the start. */
  placeOf(event: number): number {
    return this.#places[Math.min(event, this.length) - 1] ?? 0;
  }

  /** Returns how many events have happened at a place: those up to it, and at least none. */
  eventsAt(placeMs: number): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) <= placeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the time at a place (ms since the epoch), not after the event that follows it; 0 without events. */
  timeAt(placeMs: number): number {
    const event = Math.max(1, this.eventsAt(placeMs));
    const time = this.#times[event - 1] ?? 0;
    const past = Math.max(0, placeMs - this.placeOf(event));
    return Math.min(time + past, this.#times[event] ?? time);
  }
}
