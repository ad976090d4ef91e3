import type { AgentStatistics } from '../../../contract/agent.ts';
import { type AgentAvailability, type AgentLoad, maxCommandsOfAgent } from '../../../contract/command.ts';
import type { Db } from '../../platform/database/database.ts';
import { runIn } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type AgentService, type AgentWork, statisticsOf, type WorkCounts } from '../agents/index.ts';
import { selectStepWork } from '../executions/index.ts';

/** SQL of a query of commands that fit, in the columns of `selectStepWork`. */
const selectCommandWork = (fits: string) => `SELECT 'command' AS kind, agent_id, status, status AS whole_status,
    execution_time_ms AS ms, updated_at AS active_at
  FROM agent_commands WHERE user_id = $1::uuid AND agent_id = ANY ($2::uuid[]) AND ${fits}`;

/** A command that has joined a step does not count as work: the step does. */
const own = 'execution_id IS NULL';
/** A step that has not begun is not counted as an agent's work. */
const steps = selectStepWork(`s.status IN ('running', 'completed', 'failed', 'cancelled')`);
const commands = selectCommandWork('true');
const work = `${steps} UNION ALL ${selectCommandWork(own)}`;
/** Every step of an unfinished run counts, also a completed one. */
const unfinished = `${selectStepWork(`e.status IN ('pending', 'running', 'paused')`)}
  UNION ALL ${selectCommandWork(`${own} AND status IN ('pending', 'running')`)}`;
const running = `${selectStepWork(`e.status = 'running' AND s.status = 'running'`)} UNION ALL ${selectCommandWork(`${own} AND status = 'running'`)}`;

/** The work of agents: steps of runs, and commands that call a model. Each begun step counts once, also after several attempts. */
export function agentWork(db: Db): AgentWork {
  return {
    count: (userId, agentId) => countWork(db, work, userId, agentId),

    async unfinishedStatus(tx, userId, agentId) {
      const [row] = await runIn(tx)({
        text: `SELECT whole_status FROM (${unfinished}) AS work LIMIT 1`,
        values: [userId, [agentId]],
      });
      return row ? String(row.whole_status) : null;
    },

    async everWorked(tx, userId, agentIds) {
      const rows = await runIn(tx)({
        text: `SELECT DISTINCT agent_id FROM (${work} UNION ALL ${unfinished}) AS work`,
        values: [userId, agentIds],
      });
      return rows.map((row) => String(row.agent_id));
    },

    async atWork(userId, agentIds) {
      if (agentIds.length === 0) return [];
      const rows = await runIn(db)({ text: `SELECT DISTINCT agent_id FROM (${running}) AS work`, values: [userId, agentIds] });
      return rows.map((row) => String(row.agent_id));
    },
  };
}

/** Counts an agent's finished and open work. Every function throws `not_found` for an agent that is not the user's. */
export function createAgentFigures(db: Db, agents: Pick<AgentService, 'get'>) {
  return {
    /** Also for a deleted agent, as long as its commands exist. */
    async statistics(userId: OwnerId, agentId: string): Promise<AgentStatistics> {
      const counts = await countWork(db, commands, userId, agentId);
      if (counts.total === 0) await agents.get(userId, agentId);
      return statisticsOf(counts);
    },

    async availability(userId: OwnerId, agentId: string): Promise<AgentAvailability> {
      const [agent, now, { lastActivity }] = await Promise.all([
        agents.get(userId, agentId),
        countRunning(db, userId, agentId),
        countWork(db, `${steps} UNION ALL ${commands}`, userId, agentId),
      ]);
      return {
        isAvailable: agent.status !== 0 && now.commands < maxCommandsOfAgent,
        status: agent.status === 1 && now.total > 0 ? 2 : agent.status,
        lastSeen: lastActivity?.toISOString() ?? null,
      };
    },

    async load(userId: OwnerId, agentId: string): Promise<AgentLoad> {
      const [{ total: currentLoad }] = await Promise.all([countRunning(db, userId, agentId), agents.get(userId, agentId)]);
      return {
        currentLoad,
        maxLoad: maxCommandsOfAgent,
        loadPercentage: Math.min(100, Math.round((currentLoad / maxCommandsOfAgent) * 100)),
      };
    },
  };
}

export type AgentFigures = ReturnType<typeof createAgentFigures>;

/** Counts an agent's work by outcome. */
async function countWork(db: Db, selected: string, userId: OwnerId, agentId: string): Promise<WorkCounts> {
  const [row] = await runIn(db)({
    text: `SELECT count(*)::integer AS total, count(*) FILTER (WHERE status = 'completed')::integer AS successful,
        count(*) FILTER (WHERE status = 'failed')::integer AS failed, coalesce(sum(ms) FILTER (WHERE status = 'completed'), 0)::float8 AS ms,
        (extract(epoch FROM max(active_at)) * 1000)::float8 AS active_at
      FROM (${selected}) AS work`,
    values: [userId, [agentId]],
  });
  const {
    total,
    successful,
    failed,
    ms,
    active_at: activeAt,
  } = row as Record<'total' | 'successful' | 'failed' | 'ms', number> & {
    active_at: number | null;
  };
  return { total, successful, failed, successfulMs: ms, lastActivity: activeAt === null ? null : new Date(activeAt) };
}

/** Counts what an agent works on now, on any node. */
async function countRunning(db: Db, userId: OwnerId, agentId: string): Promise<{ commands: number; total: number }> {
  const [row] = await runIn(db)({
    text: `SELECT count(*) FILTER (WHERE kind = 'command')::integer AS commands, count(*)::integer AS total FROM (${running}) AS work`,
    values: [userId, [agentId]],
  });
  return row as { commands: number; total: number };
}
