import { setTimeout as wait } from 'node:timers/promises';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { removeOldSpend } from '../budgets/index.ts';
import { pauseMs } from './remove-old-runs.ts';

/** Model calls removed by one statement. */
const callsPerBatch = 1_000;

/** Removes model calls, and counts of budgets, that no budget needs any more, batch by batch until none is left or `signal` aborts. */
export async function removeOldCalls(run: RunStatement, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await removeOldSpend(run, callsPerBatch)))
    await wait(pauseMs, undefined, { signal, ref: false }).catch(() => {});
}
