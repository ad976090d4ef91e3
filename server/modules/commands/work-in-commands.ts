import type { CommandStatus } from '../../../contract/command.ts';
import type { Db } from '../../platform/database/database.ts';
import { and, count, eq, inArray, isNull, max, sql, sum } from '../../platform/database/drizzle.ts';
import type { AgentWork, WorkCounts } from '../agents/index.ts';
import { agentCommands } from './tables.ts';

const ofAgents = (userId: string, agentIds: readonly string[]) =>
  and(inArray(agentCommands.agentId, [...agentIds]), eq(agentCommands.userId, userId));
/** A command that has joined a step does not count as work: the step does. */
const ownWork = isNull(agentCommands.executionId);

/** Counts agents' work in commands: each command that calls a model once. */
export function workInCommands(db: Db): AgentWork {
  return {
    count: (userId, agentId) => countCommands(db, userId, agentId, 'own'),

    async unfinishedStatus(tx, userId, agentId) {
      const unfinished = inArray(agentCommands.status, ['pending', 'running']);
      const [row] = await tx
        .select({ status: agentCommands.status })
        .from(agentCommands)
        .where(and(ofAgents(userId, [agentId]), ownWork, unfinished))
        .limit(1);
      return row?.status ?? null;
    },

    async atWork(userId, agentIds) {
      if (agentIds.length === 0) return [];
      const rows = await db
        .selectDistinct({ agentId: agentCommands.agentId })
        .from(agentCommands)
        .where(and(ofAgents(userId, agentIds), ownWork, eq(agentCommands.status, 'running')));
      return rows.map(({ agentId }) => agentId);
    },
  };
}

/** Returns when a command of a project last changed, or null. */
export async function lastCommandAt(db: Db, projectId: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(agentCommands.updatedAt) })
    .from(agentCommands)
    .where(eq(agentCommands.projectId, projectId));
  return row?.at ?? null;
}

/** Counts an agent's commands by outcome: all of them, or those that called a model. */
export async function countCommands(db: Db, userId: string, agentId: string, which: 'all' | 'own'): Promise<WorkCounts> {
  const when = (status: CommandStatus, value: unknown) => sql`CASE WHEN ${agentCommands.status} = ${status} THEN ${value} END`;
  const [row] = await db
    .select({
      total: count(),
      successful: count(when('completed', agentCommands.id)),
      failed: count(when('failed', agentCommands.id)),
      successfulMs: sum(when('completed', agentCommands.executionTimeMs)),
      lastActivity: max(agentCommands.updatedAt),
    })
    .from(agentCommands)
    .where(and(ofAgents(userId, [agentId]), which === 'own' ? ownWork : undefined));
  if (!row) throw new Error('A count has no row.');
  return { ...row, successfulMs: Number(row.successfulMs ?? 0) };
}
