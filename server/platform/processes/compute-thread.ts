import { Tinypool } from 'tinypool';

/** An idle thread ends after this time (ms). */
const idleMs = 30_000;
/** The memory limit of the thread, far above the largest pipeline (MiB). */
const maxHeapMb = 256;
/** The most queued tasks. Their callers wait in turns, with one task each. */
const maxTasks = 1_000;
/** Steps up to which a pipeline is computed at once: that takes a few milliseconds. */
const maxStepsAtOnce = 500;

/** A function of a module that a thread can load. */
export type ThreadTask<Input, Output> = { module: URL; name: string; compute: (input: Input) => Output };

/** Computes what takes long for a large pipeline, without delay for other requests. */
export type ComputeThread = {
  /** Computes on the thread, or at once for few steps. */
  compute: <Input, Output>(task: ThreadTask<Input, Output>, steps: number, input: Input) => Promise<Output>;
  close: () => Promise<void>;
};

/** The thread starts with the first task. A task that needs too much memory fails, and the server continues. */
export function createComputeThread(log: { error: (about: object, line: string) => void }): ComputeThread {
  const pool = new Tinypool({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    maxQueue: maxTasks,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A task's own error rejects its call; this is an error of the idle thread.
  pool.on('error', (error) => log.error({ err: error }, 'The thread for large pipelines failed'));
  return {
    compute: async ({ module, name, compute }, steps, input) =>
      steps <= maxStepsAtOnce ? compute(input) : pool.run(input, { filename: module.href, name }),
    close: () => pool.destroy(),
  };
}
