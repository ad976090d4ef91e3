import { z } from 'zod';
import { timestamp } from '../common.ts';

/** The longest test command (characters). */
export const testCommandMaxLength = 1_000;

/** The command that executes a project's tests: one line, entered by a person. */
export const testCommand = z
  .string()
  .trim()
  .max(testCommandMaxLength)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u);

/**
 * Why a test command has no exit code:
 * - `unreachable`, `refused`, `busy`: the runner does not answer, or takes nothing. `no_runner`: the server has none any more.
 * - `files_too_large`: the files of the run exceed what is sent.
 * - `timeout`: the command took longer than the operator allows. `step_timeout`, `execution_timeout`: than the step or the run had left.
 * - `log_too_long`: it wrote without an end.
 * - `cut_off`, `not_understood`: the runner stopped in the middle, or answered something else.
 */
export const testRunFailures = [
  'unreachable',
  'refused',
  'busy',
  'no_runner',
  'files_too_large',
  'timeout',
  'step_timeout',
  'execution_timeout',
  'log_too_long',
  'cut_off',
  'not_understood',
] as const;
export type TestRunFailure = (typeof testRunFailures)[number];

/** The execution of a project's test command for a tester's step. Its log is read by a call of its own. */
export const testRun = z.object({
  command: z.string(),
  /** `ended`: it has an exit code. `failed`: it has a `reason` instead. `stopped`: the step ended before it. */
  state: z.enum(['running', 'ended', 'failed', 'stopped']),
  exitCode: z.number().int().nullable(),
  reason: z.enum(testRunFailures).nullable(),
  /** How long the runner took. */
  ms: z.number().int().min(0).nullable(),
  hasLog: z.boolean(),
  startedAt: timestamp,
});
export type TestRun = z.infer<typeof testRun>;
