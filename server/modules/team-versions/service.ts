import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { TeamAgents, TeamSettings } from '../../../contract/team-version.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Db } from '../../platform/database/database.ts';
import { eq, sql } from '../../platform/database/drizzle.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import type { AccountStorage } from '../storage/index.ts';
import { teamVersions } from './tables.ts';
import { bytesOfTeam, storingTeam } from './team-sql.ts';

type TeamVersionDeps = {
  db: Db;
  newId: () => string;
  now: () => Date;
  storage: Pick<AccountStorage, 'storing'>;
};

export type TeamVersion = {
  id: string;
  projectId: string;
  number: number;
  canvasVersion: number;
  document: CanvasDocument;
  agents: TeamAgents;
  settings: TeamSettings;
};

/** The versions of teams: what a run works with, as it was. */
export class TeamVersions {
  readonly #deps: TeamVersionDeps;

  constructor(deps: TeamVersionDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the version of a project's team as it is now, in the caller's transaction. The same team costs no second row. `agentIds`: agents that are in it
   * without a card. Throws `not_found` for a project of another account.
   */
  async ensure(tx: Db, projectId: string, userId: string, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    const owned = await tx.execute(sql`SELECT FROM projects WHERE id = ${projectId} AND user_id = ${userId} FOR NO KEY UPDATE`);
    if (owned.rowCount === 0) throw new ApiError('not_found');
    const { newId, now } = this.#deps;
    const [row] = await runIn(tx)(storingTeam({ id: newId(), userId, projectId, agentIds, createdBy: userId, at: now() }));
    if (!row) throw new Error('The team has no version.');
    return { id: String(row.id), number: Number(row.number) };
  }

  /** The same in a transaction of its own. Throws `quota_reached` where the account has no room for a new version. */
  async ensureNow(projectId: string, userId: string, agentIds: readonly string[] = []): Promise<{ id: string; number: number }> {
    const { db, storage } = this.#deps;
    const [size] = await runIn(db)(bytesOfTeam({ userId, projectId, agentIds }));
    return storage.storing({ userId, bytes: Number(size?.bytes ?? 0) }, () =>
      db.transaction((tx) => this.ensure(tx, projectId, userId, agentIds)),
    );
  }

  /** Returns a version of a project that is known to be the user's; null for none. */
  async read(id: string): Promise<TeamVersion | null> {
    const [row] = await this.#deps.db.select().from(teamVersions).where(eq(teamVersions.id, id));
    return row ?? null;
  }
}
