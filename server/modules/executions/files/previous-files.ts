import type { Db } from '../../../platform/database/database.ts';
import { and, eq, inArray, lte, ne, sql } from '../../../platform/database/drizzle.ts';
import { executionFiles } from '../../files/index.ts';
import type { ExecutionRow } from '../store/rows.ts';
import { executions } from '../store/tables.ts';

type Before = Pick<ExecutionRow, 'id' | 'userId' | 'projectId' | 'startedAt' | 'createdAt'>;

const { path, executionId, stepId, orderIndex, content, executable } = executionFiles;

type PreviousFile = { content: string; executable: boolean; createdAt: Date };

/** Returns which of these paths an earlier execution of the project has left, completed before this one started. */
export async function previousPaths(db: Db, execution: Before, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await newestBefore(db, execution, paths);
  return new Set(rows.flatMap((row) => (row.isText ? [row.path] : [])));
}

/** Returns these paths in the newest of those executions. One that it has removed, or that is not text, is not there. */
export async function previousFiles(db: Db, execution: Before, paths: readonly string[]): Promise<Map<string, PreviousFile>> {
  if (paths.length === 0) return new Map();
  // Reads the texts of the newest versions only.
  const newest = newestBefore(db, execution, paths).as('newest');
  const same = and(eq(newest.executionId, executionId), eq(newest.path, path), eq(newest.stepId, stepId));
  const { createdAt } = executionFiles;
  const rows = await db.select({ path, content, executable, createdAt }).from(newest).innerJoin(executionFiles, same);
  return new Map(
    rows.flatMap(({ path: of, content: text, executable: mode, createdAt: at }) =>
      text === null ? [] : [[of, { content: text, executable: mode ?? false, createdAt: at }] as const],
    ),
  );
}

function newestBefore(db: Db, execution: Before, paths: readonly string[]) {
  return db
    .selectDistinctOn([path], { path, executionId, stepId, isText: sql<boolean>`${content} IS NOT NULL`.as('is_text') })
    .from(executionFiles)
    .innerJoin(executions, eq(executions.id, executionId))
    .where(
      and(
        eq(executions.projectId, execution.projectId),
        eq(executions.userId, execution.userId),
        eq(executions.status, 'completed'),
        ne(executions.id, execution.id),
        lte(executions.completedAt, execution.startedAt ?? execution.createdAt),
        inArray(path, [...paths]),
      ),
    )
    .orderBy(path, sql`${executions.completedAt} DESC, ${executions.id} DESC, ${orderIndex} DESC`);
}
