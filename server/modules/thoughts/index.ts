/** The public interface of the thoughts module. */
export { thoughtHandlers } from './handlers.ts';
export { recordThought, thoughtMessage } from './record-thought.ts';
export { removeOldThoughts } from './repository.ts';
export { createThoughts } from './service.ts';
export { agentThoughts } from './tables.ts';
