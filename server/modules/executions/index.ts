export { createRuns, type Runs, type RunsDeps } from './runs.ts';
export type { Executions } from './service.ts';
export { workInRuns } from './work-in-runs.ts';
