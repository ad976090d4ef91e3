export { type FailureAbout, failureFor, internalFailure } from './failure-words.ts';
export { createRecent, type Recent } from './recent.ts';
export { removeEndedExecutions } from './remove-ended-executions.ts';
export { createRuns, type ExecutionLimits, type Runs, type RunsDeps } from './runs.ts';
export type { Executions } from './service.ts';
export { type ExecutionStandings, executionStandings, placeKey, type Standing, type StepPlace, stepsUnderWay } from './standing.ts';
export { streamText } from './stream-text.ts';
export { workInRuns } from './work-in-runs.ts';
