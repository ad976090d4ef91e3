import { RE2JS } from 're2js';
import { createThreadPool, type ThreadLog } from '../../../platform/processes/thread-pool.ts';
import type { Batch, Expression, SearchedText } from './search-worker.ts';

/** The most queued tasks. */
const maxTasks = 1_000;
/** A task that takes longer than its own limit by this time is ended with its thread (ms). */
const graceMs = 1_000;
/** The longest match of paths with a pattern (ms). */
const maxMatchMs = 2_000;

/**
 * Runs expressions and patterns of models on a thread, within a time: neither may hold up the server. The expressions are those of RE2, which take
 * linear time.
 */
export function createSearchThread(log: ThreadLog) {
  const module = new URL('./search-worker.ts', import.meta.url);
  const pool = createThreadPool({ module, maxQueue: maxTasks, log, onIdleError: 'The thread for searches failed' });
  const run = async <Result>(name: string, task: object, ms: number, signal: AbortSignal): Promise<Result | null> => {
    try {
      return await pool.run(task, { name, signal: AbortSignal.any([signal, AbortSignal.timeout(ms + graceMs)]) });
    } catch (error) {
      signal.throwIfAborted();
      if ((error as Error).name === 'AbortError') return null;
      throw error;
    }
  };
  return {
    /** Returns the lines that an expression matches; null where its thread was ended by time. */
    search: (expression: Expression, texts: SearchedText[], limits: { ms: number; lines: number }, signal: AbortSignal) =>
      run<Batch>('searchExpression', { expression, texts, limits }, limits.ms, signal),
    /** Returns the paths that a glob pattern matches; null where that takes too long. */
    matchPaths: (pattern: string, paths: readonly string[], signal: AbortSignal) =>
      run<string[]>('matchPaths', { pattern, paths }, maxMatchMs, signal),
    close: (): Promise<void> => pool.destroy(),
  };
}

export type SearchThread = ReturnType<typeof createSearchThread>;

/** Returns what is wrong with an expression; null for a valid one. */
export function faultOf(expression: string): string | null {
  try {
    RE2JS.compile(expression);
    return null;
  } catch (error) {
    return (error as Error).message.replace('error parsing regexp: ', '').slice(0, 200);
  }
}
