export { createDiagnosis, type Diagnosis } from './diagnosis.ts';
export { refuseBrokenRunGraph } from './graph-problems.ts';
export { pipelineHandlers } from './handlers.ts';
export { copyForRelease, removeUnreleased } from './pipelines-of-releases.ts';
export { problemText } from './problem-text.ts';
export type { Plan } from './read-plan.ts';
export { createPipelines, type Pipelines } from './service.ts';
