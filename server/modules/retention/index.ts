/** The public functions of the retention module. */
export { createRetention } from './remove-old-runs.ts';
