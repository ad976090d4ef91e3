import type { Db } from '../../../platform/database/database.ts';
import { and, eq, inArray, lte, ne, sql } from '../../../platform/database/drizzle.ts';
import { executionFiles } from '../../files/index.ts';
import type { ExecutionRow } from '../store/rows.ts';
import { executions } from '../store/tables.ts';

type Before = Pick<ExecutionRow, 'id' | 'userId' | 'projectId' | 'startedAt' | 'createdAt'>;

const { path, executionId, stepId, orderIndex, content } = executionFiles;

/** Returns which of these paths an earlier execution of the project has left, completed before this one started. */
export async function previousPaths(db: Db, execution: Before, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await newestBefore(db, execution, paths);
  return new Set(rows.map((row) => row.path));
}

/** Returns the contents of these paths in the newest of those executions. */
export async function previousFiles(db: Db, execution: Before, paths: readonly string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  // Reads the texts of the newest versions only.
  const newest = newestBefore(db, execution, paths).as('newest');
  const same = and(eq(newest.executionId, executionId), eq(newest.path, path), eq(newest.stepId, stepId));
  const rows = await db.select({ path, content }).from(newest).innerJoin(executionFiles, same);
  return new Map(rows.flatMap((row) => (row.content === null ? [] : [[row.path, row.content] as const])));
}

/** Returns the content of one path in the newest of those executions; null if none has it. */
export async function previousVersion(db: Db, execution: Before, of: string): Promise<{ content: string; createdAt: Date } | null> {
  const newest = newestBefore(db, execution, [of]).as('newest');
  const same = and(eq(newest.executionId, executionId), eq(newest.path, path), eq(newest.stepId, stepId));
  const [row] = await db.select({ content, createdAt: executionFiles.createdAt }).from(newest).innerJoin(executionFiles, same);
  return row && row.content !== null ? { ...row, content: row.content } : null;
}

function newestBefore(db: Db, execution: Before, paths: readonly string[]) {
  return db
    .selectDistinctOn([path], { path, executionId, stepId })
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
