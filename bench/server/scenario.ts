import type { Figure } from '../figure.ts';
import type { BenchProcesses } from './bench-processes.ts';

export type ScenarioName =
  | 'start'
  | 'runs-16'
  | 'runs-1'
  | 'runs-50ms'
  | 'run-counts'
  | 'fires'
  | 'graphs'
  | 'answers'
  | 'waiting'
  | 'memory'
  | 'commands'
  | 'crowd'
  | 'canvas'
  | 'large-team'
  | 'inputs'
  | 'slow-clients'
  | 'sockets'
  | 'kill'
  | 'takeover'
  | 'followers'
  | 'install';

export type Scenario = {
  name: ScenarioName;
  /** Measures and returns the figures. Throws when a part fails. */
  run: (bench: BenchProcesses) => Promise<Figure[]>;
};
