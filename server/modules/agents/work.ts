import type { AgentStatistics } from '../../../contract/agent.ts';
import type { Db } from '../../platform/database/database.ts';

/** How an agent's work went. Work that has not begun is not counted. */
export type WorkCounts = {
  total: number;
  successful: number;
  failed: number;
  /** Time that the successful work took, all together (ms). */
  successfulMs: number;
  /** When work last began or ended. */
  lastActivity: Date | null;
};

/** What is asked of one kind of agents' work. One piece of work belongs to one kind only, so that kinds add up. */
export type AgentWork = {
  count: (userId: string, agentId: string) => Promise<WorkCounts>;
  /**
   * The status of work that has not ended and counts on the agent, or null. Asked in the transaction that holds the agent's
   * row: whoever gives an agent work holds it with `heldAgents` while the work is stored.
   */
  unfinishedStatus: (tx: Db, userId: string, agentId: string) => Promise<string | null>;
  /** Those of these agents that are at work at this moment. */
  atWork: (userId: string, agentIds: readonly string[]) => Promise<string[]>;
};

/** Several kinds of work as one. */
export function joinWork(kinds: readonly AgentWork[]): AgentWork {
  return {
    count: async (userId, agentId) => (await Promise.all(kinds.map((kind) => kind.count(userId, agentId)))).reduce(sum, none),
    unfinishedStatus: async (tx, userId, agentId) => {
      for (const kind of kinds) {
        const status = await kind.unfinishedStatus(tx, userId, agentId);
        if (status !== null) return status;
      }
      return null;
    },
    atWork: async (userId, agentIds) => [...new Set((await Promise.all(kinds.map((kind) => kind.atWork(userId, agentIds)))).flat())],
  };
}

export function statisticsOf({ total, successful, failed, successfulMs, lastActivity }: WorkCounts): AgentStatistics {
  return {
    totalCommands: total,
    successfulCommands: successful,
    failedCommands: failed,
    averageExecutionTime: successful === 0 ? null : Math.round(successfulMs / successful),
    lastActivity: lastActivity?.toISOString() ?? null,
  };
}

const none: WorkCounts = { total: 0, successful: 0, failed: 0, successfulMs: 0, lastActivity: null };

function sum(one: WorkCounts, other: WorkCounts): WorkCounts {
  return {
    total: one.total + other.total,
    successful: one.successful + other.successful,
    failed: one.failed + other.failed,
    successfulMs: one.successfulMs + other.successfulMs,
    lastActivity: later(one.lastActivity, other.lastActivity),
  };
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
