import { v7 } from 'uuid';
import type { Environment } from './environment.ts';

/** The machine's own time, and names that sort by it. */
export const workerClock: Pick<Environment, 'now' | 'newId' | 'later'> = {
  now: () => Date.now(),
  newId: () => v7(),
  later(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
