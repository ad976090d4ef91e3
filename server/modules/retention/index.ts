/** The face of the retention module. */
export { createRetention } from './remove-old-runs.ts';
