import type { AgentStatistics } from '../../../contract/agent.ts';
import type { Db } from '../../platform/database/database.ts';

/** The figures of an agent's work. Work that has not begun is not counted. */
export type WorkCounts = {
  total: number;
  successful: number;
  failed: number;
  /** The duration of all successful work together (ms). */
  successfulMs: number;
  /** When work last began or ended. */
  lastActivity: Date | null;
};

/** The queries for one kind of agents' work. Each piece of work belongs to only one kind, so that figures can be added. */
export type AgentWork = {
  count: (userId: string, agentId: string) => Promise<WorkCounts>;
  /**
   * Returns the status of unfinished work that needs the agent, or null. Called in the transaction that locks the agent's
   * row: callers that store new work lock it with `lockAgents`.
   */
  unfinishedStatus: (tx: Db, userId: string, agentId: string) => Promise<string | null>;
  /** Returns those of these agents that are working now. */
  atWork: (userId: string, agentIds: readonly string[]) => Promise<string[]>;
};

/** Combines several kinds of work into one. */
export function combineWork(kinds: readonly AgentWork[]): AgentWork {
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
