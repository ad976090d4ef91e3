export type SingleFlight<A extends unknown[], T> = {
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
  let current: Promise<T> | null = null;
  let next: A | null = null;

  async function run(first: A): Promise<T> {
    for (let args = first; ; args = next) {
      next = null;
      const result = await task(...args);
      if (next === null) return result;
    }
  }

  function call(...args: A): Promise<T> {
    if (current && rerun) next = args;
    current ??= run(args).finally(() => {
      current = null;
    });
    return current;
  }

  return Object.assign(call, {
    settled: async () => {
      await current;
    },
  });
}
