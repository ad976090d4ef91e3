export { streamText } from '../../platform/bus/stream-text.ts';
export { createRuns, type Runs } from './create-runs.ts';
export type { PublishableRun, PublishedFile } from './files/execution-files.ts';
export { isAnsweredByPrograms } from './handlers/question-handlers.ts';
export { removeEndedExecutions } from './remove-ended-executions.ts';
export type { Executions } from './service.ts';
export { type FailureAbout, failureFor, internalFailure } from './store/failure-texts.ts';
export { createRecentRows, type RecentRows } from './store/recent-rows.ts';
export { outcomeOfStep, type StepPlace, selectStepWork, stepsOfAgent } from './store/step-reads.ts';
