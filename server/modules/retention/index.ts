/** The public functions of the retention module. */
export { removeOldCalls } from './remove-old-calls.ts';
export { createAccountRemoval, createRetention } from './remove-old-runs.ts';
export { createVersionRetention } from './thin-old-versions.ts';
