import type { Db } from '../../../platform/database/database.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import { forgeThreads } from './tables.ts';

/** The issue that a run is about. `subject`: what its commit is named after. */
export type IssueOfRun = { number: number; subject: string };

/** Returns how the issue of a run is found; null for a run of none. */
export function createIssueOfRun(db: Db) {
  return async (executionId: string): Promise<IssueOfRun | null> => {
    const { number, title, subject } = forgeThreads;
    const [thread] = await db
      .select({ number, title, subject })
      .from(forgeThreads)
      .where(eq(forgeThreads.executionId, executionId))
      .limit(1);
    return thread ? { number: thread.number, subject: thread.subject ?? `${thread.title} (#${thread.number})` } : null;
  };
}
