import type { ExecutionRow, StepRow } from '../store/rows.ts';

/** How long a command may take (ms), and why not longer. */
export type TimeLimit = { ms: number; reason: 'timeout' | 'step_timeout' | 'execution_timeout' };

/** Returns what is left of the step and the run, or the operator's limit where it is shorter. `stepMs`: the time of the step before its tests. */
export function timeForTests(
  { row, step }: { row: Pick<ExecutionRow, 'timeoutSeconds' | 'activeMs'>; step: Pick<StepRow, 'timeoutSeconds'> },
  stepMs: number,
  seconds: number,
): TimeLimit {
  const ofServer: TimeLimit = { ms: seconds * 1_000, reason: 'timeout' };
  const ofStep: TimeLimit = { ms: step.timeoutSeconds * 1_000 - stepMs, reason: 'step_timeout' };
  const ofRun: TimeLimit = { ms: row.timeoutSeconds * 1_000 - row.activeMs, reason: 'execution_timeout' };
  return [ofServer, ofStep, ofRun].reduce((least, one) => (one.ms < least.ms ? one : least));
}

/** What a call leaves of the time of its step, so that the model can read the log (ms), at most half of it. */
const reserveMs = 15_000;

/** Returns the time that a call in the middle of a step has for its tests. */
export function timeForCall(leftMs: number, seconds: number): TimeLimit {
  const ofStep = Math.max(leftMs - reserveMs, leftMs / 2);
  return seconds * 1_000 <= ofStep ? { ms: seconds * 1_000, reason: 'timeout' } : { ms: ofStep, reason: 'step_timeout' };
}
