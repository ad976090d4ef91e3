import { v5 } from 'uuid';
import { shortBranch } from '../../../contract/executions/publishing.ts';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, eq, sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import { writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { insertEventSql } from '../hooks/index.ts';
import { gitTargets, publications } from './tables.ts';

export type GitTargetRow = typeof gitTargets.$inferSelect;
export type PublicationRow = typeof publications.$inferSelect;

type PublishedBy = { userId: OwnerId; projectId: string; task: string };

/** The forks of forks that are followed. */
const maxOriginals = 50;

/** The repositories of projects, and what was published there. The caller has checked whose they are. */
export function publishingRepository(db: Db) {
  const publicationOf = async (executionId: string): Promise<PublicationRow | null> => {
    const [row] = await db.select().from(publications).where(eq(publications.executionId, executionId));
    return row ?? null;
  };

  return {
    target: async (projectId: string): Promise<GitTargetRow | null> => {
      const [row] = await db.select().from(gitTargets).where(eq(gitTargets.projectId, projectId));
      // Rows from before the full name was shortened have it.
      return row ? { ...row, baseBranch: shortBranch(row.baseBranch) } : null;
    },

    putTarget: async (row: GitTargetRow): Promise<GitTargetRow> => {
      const [stored] = await db.insert(gitTargets).values(row).onConflictDoUpdate({ target: gitTargets.projectId, set: row }).returning();
      return stored as GitTargetRow;
    },

    removeTarget: async (projectId: string): Promise<void> => {
      await db.delete(gitTargets).where(eq(gitTargets.projectId, projectId));
    },

    publication: publicationOf,

    /** Returns the publications of the runs that a run is a fork of, the nearest first. */
    originals: async (executionId: string): Promise<PublicationRow[]> => {
      const { rows } = await db.execute<{ id: string }>(sql`WITH RECURSIVE original AS (
        SELECT parent_id AS id, 1 AS depth FROM executions WHERE id = ${executionId}
        UNION ALL SELECT e.parent_id, depth + 1 FROM executions AS e JOIN original ON e.id = original.id WHERE depth < ${maxOriginals})
        SELECT original.id FROM original JOIN publications ON execution_id = original.id ORDER BY depth`);
      const found = await Promise.all(rows.map(({ id }) => publicationOf(id)));
      return found.filter((row) => row !== null);
    },

    /** Returns the publications of a project's runs on a branch of a repository. */
    onBranch: async (projectId: string, url: string, branch: string): Promise<PublicationRow[]> => {
      const ofProject = sql`${publications.executionId} IN (SELECT id FROM executions WHERE project_id = ${projectId})`;
      const rows = await db
        .select()
        .from(publications)
        .where(and(eq(publications.branch, branch), ofProject));
      return rows.filter((row) => placeOf(row.url) === placeOf(url));
    },

    /** Stores a publication. `of`: the run whose receivers are told, in the same transaction; null for one that is not whole yet. Returns to how many. */
    putPublication: async (row: PublicationRow, of: PublishedBy | null = null): Promise<number> => {
      return db.transaction(async (tx) => {
        await tx.insert(publications).values(row).onConflictDoUpdate({ target: publications.executionId, set: row });
        if (of === null) return 0;
        return (await runIn(tx)(writeStatement((place) => tellingPublication(row, of)('(SELECT 1) AS one', place)))).length;
      });
    },
  };
}

/** Tells whether a project is published to a repository: its words are the project's own. */
export function isOwnRepository(db: Db) {
  const repository = publishingRepository(db);
  return async (projectId: string, url: string): Promise<boolean> => {
    const target = await repository.target(projectId);
    return target !== null && placeOf(target.url) === placeOf(url);
  };
}

/** Returns an address without the endings that servers take with and without. Two addresses of one repository have the same. */
export function placeOf(url: string): string {
  return withoutTrailingSlashes(url).replace(/\.git$/, '');
}

/** Tells whether a run was published. */
export function isPublished(db: Db) {
  const repository = publishingRepository(db);
  return async (executionId: string): Promise<boolean> => (await repository.publication(executionId)) !== null;
}

/** Tells receivers of a publication. Publishing the same again tells nothing. */
function tellingPublication(
  { executionId, branch, baseBranch, sha, requestUrl, publishedAt: at }: PublicationRow,
  { userId, projectId, task }: PublishedBy,
) {
  const id = v5(`${sha} ${requestUrl}`, executionId);
  const about = { executionId, branch, baseBranch, sha, requestUrl, texts: { task } };
  return insertEventSql({ id, event: 'published', userId, projectId, about, at });
}
