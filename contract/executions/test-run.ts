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
 * - `unreachable`, `refused`, `busy`: the runner does not answer, or takes nothing. `no_runner`: the server has none.
 * - `install_failed`: the packages that the project names could not be installed. `not_started`: the command lacks a program, a package or a script.
 * - `no_command`, `no_files`: a link asks for the tests, and the project has no command, or the run no files.
 * - `files_too_large`: the files of the run exceed what is sent.
 * - `timeout`: the command took longer than the operator allows. `step_timeout`, `execution_timeout`: than the step or the run had left.
 * - `log_too_long`: it wrote without an end.
 * - `cut_off`, `not_understood`: the runner stopped in the middle, or answered something else.
 */
const testRunFailures = [
  'unreachable',
  'refused',
  'busy',
  'install_failed',
  'not_started',
  'no_runner',
  'no_command',
  'no_files',
  'files_too_large',
  'timeout',
  'step_timeout',
  'execution_timeout',
  'log_too_long',
  'cut_off',
  'not_understood',
] as const;
export type TestRunFailure = (typeof testRunFailures)[number];

/** Tests that a log counts. */
const testCounts = z.object({ passed: z.number().int().min(0), failed: z.number().int().min(0) });
export type TestCounts = z.infer<typeof testCounts>;

/** The execution of a project's test command for a step. Its log is read by a call of its own. */
export const testRun = z.object({
  command: z.string(),
  /** What an agent has limited the tests to: one more argument of the command. */
  filter: z.string().optional(),
  /** `ended`: it has an exit code. `failed`: it has a `reason` instead. `stopped`: the step ended before it. */
  state: z.enum(['running', 'ended', 'failed', 'stopped']),
  exitCode: z.number().int().nullable(),
  reason: z.enum(testRunFailures).nullable(),
  /** What a command lacks that could not start: the name of a program, a package or a script. */
  missing: z.string().max(100).optional(),
  /** How long the runner took. */
  ms: z.number().int().min(0).nullable(),
  hasLog: z.boolean(),
  startedAt: timestamp,
  /** Absent where the log has no summary that is known. */
  counts: testCounts.optional(),
  /** It has not begun: the runner works for others. */
  waits: z.literal(true).optional(),
  /** Nothing was executed: the result belongs to a simulated answer. */
  simulated: z.literal(true).optional(),
  /** The agent has had it executed in the middle of its step. */
  byAgent: z.literal(true).optional(),
});
export type TestRun = z.infer<typeof testRun>;

/** Returns the command as it was executed, with its filter in quotes. */
export function executedCommand({ command, filter }: Pick<TestRun, 'command' | 'filter'>): string {
  return filter === undefined ? command : `${command} ${inQuotes(filter)}`;
}

/** Returns a text as one word of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether tests could not begin for a reason that no agent is the cause of, and that none can mend: no work is repeated for its sake. */
export function isBeforeTests(reason: TestRunFailure | null): reason is 'install_failed' | 'not_started' {
  return reason === 'install_failed' || reason === 'not_started';
}

/** How the tests after a step ended. `unstarted`: none could begin, so neither a link for them is taken nor the label of the agent counts. */
export type TestVerdict = 'pass' | 'fail' | 'unstarted' | null;

/**
 * Returns whether the project's tests pass after a step; null without a result. A command that ends with 0 while its log counts failed tests has none: one
 * of the two is wrong. What an agent has executed in the middle of its step is none: it may be a part of the tests, and files may have changed since.
 */
export function testVerdict({
  state,
  exitCode,
  counts,
  byAgent,
  reason,
}: Pick<TestRun, 'state' | 'exitCode' | 'counts' | 'byAgent' | 'reason'>): TestVerdict {
  if (byAgent) return null;
  if (state === 'failed' && isBeforeTests(reason)) return 'unstarted';
  if (state !== 'ended') return null;
  if (exitCode !== 0) return 'fail';
  return counts && counts.failed > 0 ? null : 'pass';
}
