/** The public functions of the retention module. */
export { createRetention } from './remove-old-runs.ts';
export { createVersionRetention } from './thin-old-versions.ts';
