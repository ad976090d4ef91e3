/** The public functions of the retention module. */

export { inBatches } from './in-batches.ts';
export { removeOldCalls } from './remove-old-calls.ts';
export { createAccountRemoval, createRetention } from './remove-old-runs.ts';
export { type HousekeepingTask, housekeepingTasks } from './table-bounds.ts';
export { createThinning } from './thin-old-runs.ts';
export { createVersionRetention } from './thin-old-versions.ts';
