export { pipelineHandlers } from './handlers.ts';
export { createPipelines, type Pipelines, type PipelinesDeps } from './service.ts';
