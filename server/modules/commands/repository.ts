import { and, asc, count, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { CommandStatus } from '../../../contract/command.ts';
import type { Db } from '../../platform/database/database.ts';
import { type CommandRow, hasEnded } from './rows.ts';
import { agentCommands } from './tables.ts';

const underWay: CommandStatus[] = ['pending', 'running'];
const ended: CommandStatus[] = ['completed', 'failed', 'cancelled'];
/** How much of a long task a list shows (characters). */
const listedTask = 4_000;

/** A command that this node works on: whoever holds an older leg has lost it. */
export type Held = Pick<CommandRow, 'id' | 'leg'>;
export type TakenUp = Pick<CommandRow, 'id' | 'userId' | 'agentId' | 'leg' | 'executionId' | 'stepId'>;

/** Commands of one connection or transaction. Every query of a person's names the owner. */
export function commandRepository(db: Db) {
  const owned = (userId: string, id: string) => and(eq(agentCommands.id, id), eq(agentCommands.userId, userId));
  const ofAgent = (userId: string, agentId: string) => and(eq(agentCommands.userId, userId), eq(agentCommands.agentId, agentId));
  const held = ({ id, leg }: Held) => and(eq(agentCommands.id, id), eq(agentCommands.leg, leg));

  return {
    insert: async (row: CommandRow): Promise<void> => {
      await db.insert(agentCommands).values(row);
    },

    find: async (userId: string, id: string): Promise<CommandRow | null> =>
      (await db.select().from(agentCommands).where(owned(userId, id)))[0] ?? null,

    /** Newest first. */
    async history(userId: string, agentId: string, filter: { status?: CommandStatus | undefined; limit: number; offset: number }) {
      const here = and(ofAgent(userId, agentId), filter.status === undefined ? undefined : eq(agentCommands.status, filter.status));
      const columns = getTableColumns(agentCommands);
      const [[all], rows] = await Promise.all([
        db.select({ total: count() }).from(agentCommands).where(here),
        db
          .select({ ...columns, task: cut(columns.task), initialTask: cut(columns.initialTask), messages: sql<null>`NULL` })
          .from(agentCommands)
          .where(here)
          .orderBy(desc(agentCommands.createdAt), desc(agentCommands.id))
          .limit(filter.limit)
          .offset(filter.offset),
      ]);
      return { rows, total: all?.total ?? 0 };
    },

    async clear(userId: string, agentId: string): Promise<number> {
      const gone = await db.delete(agentCommands).where(and(ofAgent(userId, agentId), inArray(agentCommands.status, ended)));
      return gone.rowCount ?? 0;
    },

    /** Steps of the execution that a command has joined already. */
    async joinedSteps(userId: string, executionId: string): Promise<Set<string>> {
      const here = and(eq(agentCommands.executionId, executionId), eq(agentCommands.userId, userId));
      const rows = await db.selectDistinct({ stepId: agentCommands.stepId }).from(agentCommands).where(here);
      return new Set(rows.flatMap(({ stepId }) => stepId ?? []));
    },

    /** Begins a command that waits, unless others have its agent at `most`. Null when it does not wait any more, or must wait on. */
    async begin({ id, leg }: Held, most: number, now: Date): Promise<CommandRow | null> {
      const others = sql`(SELECT count(*) FROM agent_commands AS other
        WHERE other.agent_id = ${agentCommands.agentId} AND other.status = 'running' AND other.execution_id IS NULL)`;
      const [row] = await db
        .update(agentCommands)
        .set({
          ...{ status: 'running', updatedAt: now, attempts: sql`${agentCommands.attempts} + 1` },
          startedAt: sql`coalesce(${agentCommands.startedAt}, ${now.toISOString()}::timestamptz)`,
        })
        .where(and(held({ id, leg }), eq(agentCommands.status, 'pending'), sql`${others} < ${most}`))
        .returning();
      return row ?? null;
    },

    /** The step that a command has joined has begun. */
    async stepBegan(command: Held, now: Date): Promise<void> {
      const here = and(held(command), eq(agentCommands.status, 'pending'));
      await db.update(agentCommands).set({ status: 'running', startedAt: now, updatedAt: now }).where(here);
    },

    /** Ends a command on its owner's word. Null when there is none, or it has ended. */
    async cancel(userId: string, id: string, now: Date): Promise<CommandRow | null> {
      const time = sql`round(extract(epoch FROM greatest(${now.toISOString()}::timestamptz - ${agentCommands.startedAt}, interval '0')) * 1000)`;
      const [row] = await db
        .update(agentCommands)
        .set({ status: 'cancelled', leg: sql`${agentCommands.leg} + 1`, executionTimeMs: time, completedAt: now, updatedAt: now })
        .where(and(owned(userId, id), inArray(agentCommands.status, underWay)))
        .returning();
      return row ?? null;
    },

    /** Of those that this node works on, the ones that it has lost: cancelled, removed, or taken up by another. */
    async lost(known: readonly Held[]): Promise<string[]> {
      const rows = await db
        .select({ id: agentCommands.id, leg: agentCommands.leg, status: agentCommands.status })
        .from(agentCommands)
        .where(
          inArray(
            agentCommands.id,
            known.map(({ id }) => id),
          ),
        );
      const legs = new Map(rows.filter((row) => !hasEnded(row)).map(({ id, leg }) => [id, leg]));
      return known.filter(({ id, leg }) => legs.get(id) !== leg).map(({ id }) => id);
    },

    /** Gives the node commands that no living node works on, the oldest first, under a new leg. Those that ask a model wait again. */
    async takeUp(nodeId: string, most: number): Promise<TakenUp[]> {
      const { rows } = await db.execute<{ id: string }>(sql`
        UPDATE agent_commands SET node_id = ${nodeId}, leg = leg + 1, updated_at = now(),
          status = CASE WHEN execution_id IS NULL THEN 'pending' ELSE status END
        WHERE id IN (
          SELECT id FROM agent_commands
          WHERE status IN ('pending', 'running')
            AND (node_id IS NULL OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = agent_commands.node_id))
          ORDER BY created_at LIMIT ${most} FOR UPDATE SKIP LOCKED
        ) RETURNING id`);
      if (rows.length === 0) return [];
      const { id, userId, agentId, leg, executionId, stepId } = agentCommands;
      return db
        .select({ id, userId, agentId, leg, executionId, stepId })
        .from(agentCommands)
        .where(
          inArray(
            agentCommands.id,
            rows.map((row) => row.id),
          ),
        )
        .orderBy(asc(agentCommands.createdAt), asc(agentCommands.id));
    },

    /** Lets a command go that this node cannot work on: the next look for work takes it up. */
    async release(command: Held): Promise<void> {
      await db.update(agentCommands).set({ nodeId: null }).where(held(command));
    },

    /** Commands of an agent that ask a model now, on any node. */
    async running(userId: string, agentId: string): Promise<number> {
      const here = and(ofAgent(userId, agentId), eq(agentCommands.status, 'running'), sql`${agentCommands.executionId} IS NULL`);
      return (await db.select({ many: count() }).from(agentCommands).where(here))[0]?.many ?? 0;
    },
  };
}

export type CommandRepository = ReturnType<typeof commandRepository>;

function cut(column: typeof agentCommands.task | typeof agentCommands.initialTask): SQL<string | null> {
  return sql<string | null>`left(${column}, ${listedTask})`;
}
