import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { removeOldSpend } from '../budgets/index.ts';
import { inBatches } from './in-batches.ts';

/** Model calls removed by one statement. */
const callsPerBatch = 1_000;

/** Removes model calls, and counts of budgets, that no budget needs any more, batch by batch until none is left or `signal` aborts. */
export async function removeOldCalls(run: RunStatement, signal: AbortSignal): Promise<void> {
  await inBatches(signal, () => removeOldSpend(run, callsPerBatch));
}
