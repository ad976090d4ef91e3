export { createDiagnosis, type Diagnosis } from './diagnosis.ts';
export { refuseBrokenRunGraph } from './graph-problems.ts';
export { pipelineHandlers } from './handlers.ts';
export { problemWords } from './problem-words.ts';
export type { Plan } from './read-plan.ts';
export { createPipelines, type Pipelines, type PipelinesDeps } from './service.ts';
