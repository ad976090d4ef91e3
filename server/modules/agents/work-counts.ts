import type { AgentStatistics } from '../../../contract/agent.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';

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

/** The queries for the work of agents. */
export type AgentWork = {
  count: (userId: OwnerId, agentId: string) => Promise<WorkCounts>;
  /**
   * Returns the status of unfinished work that needs the agent, or null. Called in the transaction that locks the agent's
   * row: callers that store new work lock it with `lockAgents`.
   */
  unfinishedStatus: (tx: Db, userId: OwnerId, agentId: string) => Promise<string | null>;
  /** Returns those of these agents that have worked, or that unfinished work needs. Called like `unfinishedStatus`. */
  everWorked: (tx: Db, userId: OwnerId, agentIds: readonly string[]) => Promise<string[]>;
  /** Returns those of these agents that are working now. */
  atWork: (userId: OwnerId, agentIds: readonly string[]) => Promise<string[]>;
};

export function statisticsOf({ total, successful, failed, successfulMs, lastActivity }: WorkCounts): AgentStatistics {
  return {
    totalCommands: total,
    successfulCommands: successful,
    failedCommands: failed,
    averageExecutionTime: successful === 0 ? null : Math.round(successfulMs / successful),
    lastActivity: lastActivity?.toISOString() ?? null,
  };
}
