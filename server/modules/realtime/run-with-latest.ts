/** Runs `work` for one value at a time. Of the values that arrive meanwhile, only the newest is used afterwards. `work` must not reject. */
export function runWithLatest<T>(work: (value: T) => Promise<void>): (value: T) => void {
  let waiting: { value: T } | null = null;
  let isWorking = false;
  const run = async () => {
    if (isWorking) return;
    isWorking = true;
    while (waiting !== null) {
      const { value }: { value: T } = waiting;
      waiting = null;
      await work(value);
    }
    isWorking = false;
  };
  return (value) => {
    waiting = { value };
    void run();
  };
}
