export { createRuns, type Runs, type RunsDeps } from './runs.ts';
export type { AgentOfRun, Executions } from './service.ts';
