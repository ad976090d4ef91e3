import { Tinypool } from 'tinypool';

/** An idle thread ends after this time (ms). It takes some 20 MB and 100 ms to start. */
const idleMs = 30_000;
/** The memory limit of a thread, far above what any of its tasks needs (MiB). */
const maxHeapMb = 256;

export type ThreadLog = { error: (about: object, line: string) => void };

type Pool = {
  /** The module of the tasks, unless each task names its own. */
  module?: URL;
  maxThreads?: number;
  /** The most queued tasks. */
  maxQueue: number;
  /** Told with the error of an idle thread. A task's own error rejects its call. */
  log: ThreadLog;
  onIdleError: string;
};

/** Threads that start with the first task. A task that needs too much memory fails, and the server continues. */
export function createThreadPool({ module, maxThreads = 1, maxQueue, log, onIdleError }: Pool): Tinypool {
  const pool = new Tinypool({
    ...(module && { filename: module.href }),
    minThreads: 0,
    maxThreads,
    idleTimeout: idleMs,
    maxQueue,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  pool.on('error', (error) => log.error({ err: error }, onIdleError));
  return pool;
}
