export type { PublishableRun, PublishedFile } from './files/execution-files.ts';
export { removeEndedExecutions } from './remove-ended-executions.ts';
export type { Executions } from './service.ts';
export { createRecentRows, type RecentRows } from './store/recent-rows.ts';
export {
  countRunningSteps,
  createStepReads,
  placeKey,
  type StepPlace,
  type StepReads,
  type StepWithExecution,
} from './store/step-reads.ts';
export { type FailureAbout, failureFor, internalFailure } from './work/failure-texts.ts';
export { createRuns, type ExecutionLimits, type Runs, type RunsDeps } from './work/runs.ts';
export { streamText } from './work/stream-text.ts';
export { workInRuns } from './work/work-in-runs.ts';
