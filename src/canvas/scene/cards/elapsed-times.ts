import { clock } from '../../../ui/i18n/duration.ts';
import type { RunOnCanvas } from '../run-on-canvas.ts';

/** The elapsed time that each running card shows. */
export class ElapsedTimes {
  readonly #run: RunOnCanvas;
  readonly #told = new Map<string, string>();

  constructor(run: RunOnCanvas) {
    this.#run = run;
  }

  /** Returns the cards in view whose shown time has changed since the last call. `now`: ms since the epoch. */
  changedSince(now: number, isInView: (nodeId: string) => boolean): string[] {
    if (this.#run.active.length === 0) this.#told.clear();
    return this.#run.active.filter((id) => {
      const startedAt = isInView(id) ? this.#run.view(id)?.startedAt : null;
      if (!startedAt) return false;
      const time = clock(Math.max(0, now - Date.parse(startedAt)));
      const isNew = this.#told.get(id) !== time;
      this.#told.set(id, time);
      return isNew;
    });
  }
}
