/** Runs `work` one at a time. Calls during a run cause one more run afterwards. */
export function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;

  const run = async (): Promise<void> => {
    try {
      do {
        isAskedAgain = false;
        await work();
      } while (isAskedAgain);
    } finally {
      running = null;
    }
  };
  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}
