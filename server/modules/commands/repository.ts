import type { CommandStatus } from '../../../contract/command.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, desc, eq, getTableColumns, inArray, max, type SQL, sql } from '../../platform/database/drizzle.ts';
import { excerptOf } from '../../platform/database/excerpt-of.ts';
import { readPage } from '../../platform/database/owned-rows.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { hasBudget } from '../budgets/index.ts';
import type { BegunCommand, CommandRow } from './rows.ts';
import { agentCommands } from './tables.ts';

export const unfinished: CommandStatus[] = ['pending', 'running'];
const ended: CommandStatus[] = ['completed', 'failed', 'cancelled'];
/** The length of a task or result in a list (characters). */
const listedLength = 4_000;
const { excerpt, isCut } = excerptOf(sql<string | null>`${agentCommands.result}`, listedLength);

/** Queries on commands in one connection or transaction. Every query of a user names the owner. */
export function commandRepository(db: Db) {
  const owned = (userId: OwnerId, id: string) => and(eq(agentCommands.id, id), eq(agentCommands.userId, userId));
  const ofAgent = (userId: OwnerId, agentId: string) => and(eq(agentCommands.userId, userId), eq(agentCommands.agentId, agentId));

  return {
    find: async (userId: OwnerId, id: string): Promise<CommandRow | null> =>
      (await db.select().from(agentCommands).where(owned(userId, id)))[0] ?? null,

    /** Returns commands, newest first. */
    async history(userId: OwnerId, agentId: string, filter: { status?: CommandStatus | undefined; limit: number; offset: number }) {
      const here = and(ofAgent(userId, agentId), filter.status === undefined ? undefined : eq(agentCommands.status, filter.status));
      const columns = getTableColumns(agentCommands);
      const texts = { task: cut(columns.task), initialTask: cut(columns.initialTask), messages: sql<null>`NULL`, result: excerpt, isCut };
      const newest = [desc(agentCommands.createdAt), desc(agentCommands.id)];
      return readPage(db, { table: agentCommands, columns: { ...columns, ...texts }, where: here, order: newest }, filter);
    },

    async clear(userId: OwnerId, agentId: string): Promise<number> {
      const gone = await db.delete(agentCommands).where(and(ofAgent(userId, agentId), inArray(agentCommands.status, ended)));
      return gone.rowCount ?? 0;
    },

    /**
     * Begins an attempt at a command, if `mayBegin`: no earlier attempt can change it afterwards. Returns null for an ended one, and for an attempt
     * that may not begin.
     */
    async begin(id: string, mayBegin: SQL, now: Date): Promise<BegunCommand | null> {
      const [row] = await db
        .update(agentCommands)
        .set({
          leaseEpoch: sql`${agentCommands.leaseEpoch} + 1`,
          status: 'running',
          attempts: sql`${agentCommands.attempts} + 1`,
          startedAt: sql`coalesce(${agentCommands.startedAt}, ${now.toISOString()}::timestamptz)`,
          updatedAt: now,
        })
        .where(and(eq(agentCommands.id, id), inArray(agentCommands.status, unfinished), mayBegin))
        .returning({
          ...getTableColumns(agentCommands),
          hasBudget: sql<boolean>`${sql.raw(hasBudget('agent_commands', { withKey: true }))}`,
        });
      return row ?? null;
    },

    /** Cancels a command. Returns null for an unknown or ended one. */
    async cancel(userId: OwnerId, id: string, now: Date): Promise<CommandRow | null> {
      const time = sql`round(extract(epoch FROM greatest(${now.toISOString()}::timestamptz - ${agentCommands.startedAt}, interval '0')) * 1000)`;
      const [row] = await db
        .update(agentCommands)
        .set({
          status: 'cancelled',
          leaseEpoch: sql`${agentCommands.leaseEpoch} + 1`,
          executionTimeMs: time,
          completedAt: now,
          updatedAt: now,
        })
        .where(and(owned(userId, id), inArray(agentCommands.status, unfinished)))
        .returning();
      return row ?? null;
    },
  };
}

export type CommandRepository = ReturnType<typeof commandRepository>;

/** Returns when a command of a project last changed, or null. */
export async function lastCommandAt(db: Db, projectId: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(agentCommands.updatedAt) })
    .from(agentCommands)
    .where(eq(agentCommands.projectId, projectId));
  return row?.at ?? null;
}

/** Removes the ended commands that had joined a step of these executions. Returns their ids. */
export async function removeJoinedCommands(run: RunStatement, executionIds: readonly string[]): Promise<string[]> {
  const rows = await run({
    text: `DELETE FROM agent_commands WHERE execution_id = ANY ($1::uuid[]) AND status IN ('completed', 'failed', 'cancelled') RETURNING id`,
    values: [executionIds],
  });
  return rows.map(({ id }) => String(id));
}

function cut(column: typeof agentCommands.task | typeof agentCommands.initialTask): SQL<string | null> {
  return sql<string | null>`left(${column}, ${listedLength})`;
}
