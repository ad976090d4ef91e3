import { orNotFound } from '../../../http/api-error.ts';
import type { Download } from '../../../http/call.ts';
import type { Db } from '../../../platform/database/database.ts';
import { and, eq } from '../../../platform/database/drizzle.ts';
import { insertion, type SqlFragment } from '../../../platform/database/statement.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { ExecutionRepository } from './repository.ts';
import type { PendingAnswer } from './step-answer.ts';
import { testRuns } from './tables.ts';

type StepKey = { executionId: string; stepId: string };

/** Stores the answer of a step before its tests are executed, and removes the log of an earlier answer. */
export function storingPendingAnswer({ executionId, stepId }: StepKey, answer: PendingAnswer): SqlFragment {
  return (changed, place) => `${insertion(testRuns, { executionId, stepId, answer, log: '' }, { source: changed, place })}
    ON CONFLICT (execution_id, step_id) DO UPDATE SET answer = excluded.answer, log = excluded.log`;
}

/** Stores the log of executed tests. The answer is with its step from now on. */
export function storingTestLog({ executionId, stepId }: StepKey, log: string): SqlFragment {
  return (changed, place) => `${insertion(testRuns, { executionId, stepId, answer: null, log }, { source: changed, place })}
    ON CONFLICT (execution_id, step_id) DO UPDATE SET answer = excluded.answer, log = excluded.log`;
}

export async function readTestRun(db: Db, { executionId, stepId }: StepKey): Promise<typeof testRuns.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(testRuns)
    .where(and(eq(testRuns.executionId, executionId), eq(testRuns.stepId, stepId)));
  return row ?? null;
}

/** Reads the log of a user's step. Throws `not_found` for another user's run, and for a step that has executed nothing. */
export function createTestLogRead({ db, repository }: { db: Db; repository: Pick<ExecutionRepository, 'places'> }) {
  return async (userId: OwnerId, executionId: string, stepId: string): Promise<Download> => {
    const isOwn = (await repository.places(userId, [executionId])).length > 0;
    const run = orNotFound(isOwn ? await readTestRun(db, { executionId, stepId }) : null);
    return { content: run.log, fileName: `tests-${executionId.slice(-12)}.log` };
  };
}

export type TestLogRead = ReturnType<typeof createTestLogRead>;

/** The end of a log that prompts and results of tools have (UTF-16 units). */
export const maxLogEnd = 16 * 1024;

/** Returns the end of a log, from the beginning of a line where there is one. */
export function endOfLog(log: string): string {
  if (log.length <= maxLogEnd) return log;
  const end = log.slice(-maxLogEnd);
  const line = end.indexOf('\n');
  return (line < 0 ? end : end.slice(line + 1) || end).toWellFormed();
}
