import type { Db } from '../../../platform/database/database.ts';
import { eq } from '../../../platform/database/drizzle.ts';
import { withoutSkipping } from './subject-of.ts';
import { forgeThreads } from './tables.ts';

/** The issue of a repository (`url`) that a run is about. `subject`: what its commit is named after. */
type IssueOfRun = { url: string; number: number; subject: string };

/** Returns how the issue of a run is found; null for a run of none. */
export function createIssueOfRun(db: Db) {
  return async (executionId: string): Promise<IssueOfRun | null> => {
    const { url, number, title, subject } = forgeThreads;
    const [thread] = await db
      .select({ url, number, title, subject })
      .from(forgeThreads)
      .where(eq(forgeThreads.executionId, executionId))
      .limit(1);
    if (!thread) return null;
    const named = thread.subject ?? `${withoutSkipping(thread.title)} (#${thread.number})`;
    return { url: thread.url, number: thread.number, subject: named };
  };
}
