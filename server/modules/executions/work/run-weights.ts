import { getHeapStatistics } from 'node:v8';
import PQueue from 'p-queue';
import { manySteps } from '../../../../rules/run-graph/many-steps.ts';

/** The memory of one step of a run at work, with a short answer (bytes). */
const stepBytes = 2_048;
/** The share of the heap that runs at work may fill. */
const heapShare = 0.4;

/** The steps of all runs that this process works on, as many as its heap holds. */
export function maxStepsAtWork(heapLimit = getHeapStatistics().heap_size_limit): number {
  return Math.floor((heapLimit * heapShare) / stepBytes);
}

type Waiting = { steps: number; begin: () => void };

/**
 * Lets runs begin by their weight: those with many steps wait until the runs at work leave room for them, in their order, and are stored and read one
 * after another. One that is larger than all the room begins when it is alone. A light run never waits.
 */
export class RunWeights {
  readonly #capacity: number;
  readonly #waiting: Waiting[] = [];
  readonly #turns = new PQueue({ concurrency: 1 });
  #heavyAtWork = 0;

  constructor(capacity = maxStepsAtWork()) {
    this.#capacity = capacity;
  }

  /** Whether a run with so many steps can begin now. */
  hasRoom(steps: number): boolean {
    return isLight(steps) || (this.#waiting.length === 0 && this.#fits(steps));
  }

  /**
   * Waits for room, begins the run by `begin`, and keeps the room until `work` with its result has ended. Returns null when one of `signals`
   * aborts during the wait.
   */
  async carryOut<Start, Outcome>(
    { steps, signals }: { steps: number; signals: readonly AbortSignal[] },
    begin: () => Promise<Start>,
    work: (start: Start) => Promise<Outcome>,
  ): Promise<Outcome | null> {
    if (isLight(steps)) return work(await begin());
    if (!(await this.#enter(steps, signals))) return null;
    try {
      return await work(await this.inTurn(steps, begin));
    } finally {
      this.#heavyAtWork -= steps;
      this.#letIn();
    }
  }

  /**
   * Reads or stores all steps of a run: of runs with many steps one after another. At once, their statements would take so long together that each
   * exceeds its time limit. `isUrgent`: before those that are not, as a stop.
   */
  inTurn<T>(steps: number, work: () => Promise<T>, { isUrgent = false } = {}): Promise<T> {
    return isLight(steps) ? work() : this.#turns.add(work, { priority: isUrgent ? 1 : 0 });
  }

  #fits(steps: number): boolean {
    return this.#heavyAtWork === 0 || this.#heavyAtWork + steps <= this.#capacity;
  }

  /** Resolves with true once the run has its room, and with false when a signal aborts first. */
  #enter(steps: number, signals: readonly AbortSignal[]): Promise<boolean> {
    if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false);
    if (this.hasRoom(steps)) {
      this.#heavyAtWork += steps;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const listen = (how: 'addEventListener' | 'removeEventListener') => {
        for (const signal of signals) signal[how]('abort', leave);
      };
      const leave = () => {
        listen('removeEventListener');
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        resolve(false);
        this.#letIn();
      };
      const entry: Waiting = {
        steps,
        begin: () => {
          listen('removeEventListener');
          resolve(true);
        },
      };
      this.#waiting.push(entry);
      listen('addEventListener');
    });
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.steps); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#heavyAtWork += next.steps;
      next.begin();
    }
  }
}

function isLight(steps: number): boolean {
  return steps < manySteps;
}
