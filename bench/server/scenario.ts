import type { Figure } from '../figure.ts';
import type { BenchProcesses } from './bench-processes.ts';

export type Scenario = {
  name: string;
  /** Measures and returns the figures. Throws when a part fails. */
  run: (bench: BenchProcesses) => Promise<Figure[]>;
};
