import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { type Place, writeStatement } from '../../platform/database/statement.ts';
import { type AgentModelConfig, type AgentService, selectModelConfigs } from '../agents/index.ts';
import { hasBudget } from './repository.ts';

/**
 * What a step needs to call its model: the settings of its agent (null for a removed agent) and whether budgets may apply. Also the hosts
 * of the project whose pages agents may read.
 */
export type StepSettings = ProjectSettings & { modelConfig: AgentModelConfig | null };

/** The settings that the agents of a project share. */
export type ProjectSettings = { hasBudget: boolean; fetchHosts: readonly string[] };

type StepPlace = { userId: string; projectId: string; executionId: string; agentId: string };

/** SQL of one JSON value that `toStepSettings` reads: part of another statement, or alone. */
export function selectStepSettings({ userId, projectId, executionId, agentId }: StepPlace, place: Place): string {
  return `SELECT json_build_object('agent', (${selectModelConfigs(userId, place(agentId), place)}), 'hasBudget', EXISTS (
    SELECT 1 FROM budgets WHERE user_id = ${place(userId)}::uuid AND (project_id IS NULL OR project_id = ${place(projectId)}::uuid)
      AND (execution_id IS NULL OR execution_id = ${place(executionId)}::uuid)),
    'fetchHosts', (SELECT fetch_hosts FROM projects WHERE id = ${place(projectId)}::uuid))`;
}

/** SQL of one JSON value that `toProjectSettings` reads: part of a statement on `pipelines`. */
export const pipelineProjectSettings = `json_build_object('hasBudget', ${hasBudget('pipelines')},
  'fetchHosts', (SELECT fetch_hosts FROM projects WHERE projects.id = pipelines.project_id))`;

export function toStepSettings(found: unknown, agents: Pick<AgentService, 'modelConfigFrom'>): StepSettings {
  return { modelConfig: agents.modelConfigFrom((found as { agent: unknown }).agent), ...toProjectSettings(found) };
}

export function toProjectSettings(found: unknown): ProjectSettings {
  const { hasBudget, fetchHosts } = found as { hasBudget: boolean; fetchHosts: string[] | null };
  return { hasBudget, fetchHosts: fetchHosts ?? [] };
}

export function createReadStepSettings({ run, agents }: { run: RunStatement; agents: Pick<AgentService, 'modelConfigFrom'> }) {
  return async (step: StepPlace): Promise<StepSettings> => {
    const [row] = await run(writeStatement((place) => `SELECT (${selectStepSettings(step, place)}) AS settings`));
    return toStepSettings(row?.settings, agents);
  };
}

export type ReadStepSettings = ReturnType<typeof createReadStepSettings>;
