import type { RunOnCanvas } from '../run-on-canvas.ts';
import { clock } from './card-content.ts';

/** What cards at work say of their time, by node. */
export class ElapsedTimes {
  readonly #run: RunOnCanvas;
  readonly #told = new Map<string, string>();

  constructor(run: RunOnCanvas) {
    this.#run = run;
  }

  /** The cards whose time reads differently than when they were asked for last; of those not in view none. `now`: ms since the epoch. */
  outdated(now: number, isInView: (nodeId: string) => boolean): string[] {
    if (this.#run.active.length === 0) this.#told.clear();
    return this.#run.active.filter((id) => {
      const startedAt = this.#run.view(id)?.startedAt;
      if (!startedAt || !isInView(id)) return false;
      const time = clock(Math.max(0, now - Date.parse(startedAt)));
      const isNew = this.#told.get(id) !== time;
      this.#told.set(id, time);
      return isNew;
    });
  }
}
