type SingleFlight<A extends unknown[], T> = {
  (...args: A): Promise<T>;
  /** Resolves when the task has ended; at once when it is not running. */
  settled(): Promise<void>;
};

/**
 * Returns `task` as a function that never runs twice at the same time. A call while it runs gets the result of that run. With `rerun`
 * the task then runs once more, with the arguments of the newest call, and all callers get the result of the last run.
 */
export function singleFlight<A extends unknown[], T>(
  task: (...args: A) => Promise<T>,
  { rerun = false }: { rerun?: boolean } = {},
): SingleFlight<A, T> {
  let current: Promise<T> | undefined;
  let isRunning = false;
  let next: A | null = null;

  async function run(first: A): Promise<T> {
    isRunning = true;
    try {
      for (let args = first; ; args = next) {
        next = null;
        const result = await task(...args);
        if (next === null) return result;
      }
    } finally {
      // In the same turn as the last look at `next`: a call after it begins a new run, and is not lost.
      isRunning = false;
    }
  }

  function call(...args: A): Promise<T> {
    if (!isRunning || !current) current = run(args);
    else if (rerun) next = args;
    return current;
  }

  return Object.assign(call, {
    settled: async () => {
      if (isRunning) await current;
    },
  });
}
