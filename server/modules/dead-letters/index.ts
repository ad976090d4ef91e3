/** The public functions of the dead-letters module. */
export { deadLetterHandlers } from './handlers.ts';
export { createDeadLetters } from './service.ts';
