import { type Throttled, throttle } from '../../../../async/throttle.ts';
import type { RunState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { Observable } from '../../../state/observable.ts';

/** A run of more steps counts as long. */
const longRun = 100;
/** The shortest time between two changes of single steps of a long run (ms). */
const shownEveryMs = 500;

/**
 * The run as panels show it. In a long run many steps may change in a second, more than a user can read. So changes of single steps are
 * shown together, twice a second. All other changes are shown at once.
 */
export class ShownRun {
  readonly #store: WorkspaceStore;
  readonly #changes = new Observable();
  readonly #showSoon: Throttled;
  #shown: RunState;
  #followers = 0;
  #unfollow: (() => void) | null = null;

  /** `later` runs a task once after `ms`; the returned function cancels it. */
  constructor(store: WorkspaceStore, { later }: { later: (ms: number, task: () => void) => () => void }) {
    this.#store = store;
    this.#showSoon = throttle(() => this.#show(), { ms: shownEveryMs, later });
    this.#shown = store.getState().run;
  }

  readonly get = (): RunState => {
    // Without a subscriber no earlier run has been shown.
    if (!this.#unfollow) this.#shown = this.#store.getState().run;
    return this.#shown;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    const remove = this.#changes.subscribe(listener);
    this.#unfollow ??= this.#store.subscribe(this.#follow);
    this.#followers += 1;
    this.#follow();
    return () => {
      remove();
      this.#followers -= 1;
      if (this.#followers === 0) this.#end();
    };
  };

  readonly #follow = (): void => {
    const { run } = this.#store.getState();
    if (run === this.#shown) return;
    // Another change is shown at once, and begins a new pause.
    if (!isStepChange(this.#shown, run)) this.#showSoon.cancel();
    this.#showSoon();
  };

  #show(): void {
    this.#shown = this.#store.getState().run;
    this.#changes.notify();
  }

  #end(): void {
    this.#showSoon.cancel();
    this.#unfollow?.();
    this.#unfollow = null;
  }
}

/** Whether two states of a long run differ only in steps and what follows from them. */
function isStepChange(from: RunState, to: RunState): boolean {
  return (
    to.steps.length > longRun &&
    from.steps.length === to.steps.length &&
    from.phase === to.phase &&
    from.outcome === to.outcome &&
    from.error === to.error &&
    from.execution?.id === to.execution?.id &&
    from.execution?.openQuestions === to.execution?.openQuestions
  );
}
