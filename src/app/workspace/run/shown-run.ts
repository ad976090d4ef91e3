import type { RunState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { Observable } from '../../../state/observable.ts';

/** A run of more steps counts as long. */
const longRun = 100;
/** The shortest time between two changes of single steps of a long run (ms). */
const shownEveryMs = 500;

/** `now` in ms; `later` returns a function that calls the task off. */
type Clock = { now(): number; later(ms: number, task: () => void): () => void };

/**
 * The run as panels show it. In a long run many steps may change in a second, more than a user can read: changes of single steps are
 * shown together, twice a second. All other changes are shown at once.
 */
export class ShownRun {
  readonly #store: WorkspaceStore;
  readonly #clock: Clock;
  readonly #changes = new Observable();
  #shown: RunState;
  #shownAt = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | null = null;
  #followers = 0;
  #unfollow: (() => void) | null = null;

  constructor(store: WorkspaceStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
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
    const wait = isStepChange(this.#shown, run) ? this.#shownAt + shownEveryMs - this.#clock.now() : 0;
    if (wait <= 0) this.#show();
    else this.#callOff ??= this.#clock.later(wait, this.#show);
  };

  readonly #show = (): void => {
    this.#callOff?.();
    this.#callOff = null;
    this.#shown = this.#store.getState().run;
    this.#shownAt = this.#clock.now();
    this.#changes.notify();
  };

  #end(): void {
    this.#callOff?.();
    this.#callOff = null;
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
