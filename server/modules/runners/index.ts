/** The public functions of the runners module. */
export { runnerHandlers } from './handlers.ts';
export { Runners } from './service.ts';
