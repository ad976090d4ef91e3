import { createThreadPool, type ThreadLog } from './thread-pool.ts';

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

export function createComputeThread(log: ThreadLog): ComputeThread {
  const pool = createThreadPool({ maxQueue: maxTasks, log, onIdleError: 'The thread for large pipelines failed' });
  return {
    compute: async ({ module, name, compute }, steps, input) =>
      steps <= maxStepsAtOnce ? compute(input) : pool.run(input, { filename: module.href, name }),
    close: () => pool.destroy(),
  };
}
