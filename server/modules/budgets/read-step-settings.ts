import type { AgentWork } from '../../../contract/agent.ts';
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
export type ProjectSettings = { hasBudget: boolean; fetchHosts: readonly string[] } & RoomOfProject;

/** The most turns and calls of one step of a project; null for the usual ones. */
export type RoomOfProject = { maxTurns: number | null; maxCalls: number | null };

/** SQL of the settings in a row of `projects`, as one JSON value. */
const ofProject = `json_build_object('fetchHosts', fetch_hosts, 'maxTurns', max_turns, 'maxCalls', max_calls)`;

type StepPlace = { userId: string; projectId: string; executionId: string; agentId: string };

/** SQL of one JSON value that `toStepSettings` reads: part of another statement, or alone. */
export function selectStepSettings({ userId, projectId, executionId, agentId }: StepPlace, place: Place): string {
  return `SELECT json_build_object('agent', (${selectModelConfigs(userId, place(agentId), place)}), 'hasBudget', EXISTS (
    SELECT 1 FROM budgets WHERE user_id = ${place(userId)}::uuid AND (project_id IS NULL OR project_id = ${place(projectId)}::uuid)
      AND (execution_id IS NULL OR execution_id = ${place(executionId)}::uuid)),
    'ofProject', (SELECT ${ofProject} FROM projects WHERE id = ${place(projectId)}::uuid))`;
}

/** SQL of one JSON value that `toProjectSettings` reads: part of a statement on `pipelines`. */
export const pipelineProjectSettings = `json_build_object('hasBudget', ${hasBudget('pipelines')},
  'ofProject', (SELECT ${ofProject} FROM projects WHERE projects.id = pipelines.project_id))`;

export function toStepSettings(found: unknown, agents: Pick<AgentService, 'modelConfigFrom'>): StepSettings {
  return { modelConfig: agents.modelConfigFrom((found as { agent: unknown }).agent), ...toProjectSettings(found) };
}

export function toProjectSettings(found: unknown): ProjectSettings {
  const { hasBudget, ofProject: given } = found as {
    hasBudget: boolean;
    ofProject: (RoomOfProject & { fetchHosts: string[] | null }) | null;
  };
  return { hasBudget, fetchHosts: given?.fetchHosts ?? [], maxTurns: given?.maxTurns ?? null, maxCalls: given?.maxCalls ?? null };
}

export function createReadStepSettings({ run, agents }: { run: RunStatement; agents: Pick<AgentService, 'modelConfigFrom'> }) {
  return async (step: StepPlace): Promise<StepSettings> => {
    const [row] = await run(writeStatement((place) => `SELECT (${selectStepSettings(step, place)}) AS settings`));
    return toStepSettings(row?.settings, agents);
  };
}

/** Returns a function that reads the most turns and calls of a step as they are set now: those of its agent, and of its project. */
export function createReadRoom(run: RunStatement) {
  return async ({
    projectId,
    agentId,
  }: Pick<StepPlace, 'projectId' | 'agentId'>): Promise<{ work: AgentWork | null; project: RoomOfProject }> => {
    const [row] = await run(
      writeStatement(
        (place) => `SELECT (SELECT work FROM agents WHERE id = ${place(agentId)}::uuid) AS work,
          (SELECT ${ofProject} FROM projects WHERE id = ${place(projectId)}::uuid) AS project`,
      ),
    );
    const { work, project } = row as { work: AgentWork | null; project: RoomOfProject | null };
    return { work, project: { maxTurns: project?.maxTurns ?? null, maxCalls: project?.maxCalls ?? null } };
  };
}

export type ReadRoom = ReturnType<typeof createReadRoom>;
export type ReadStepSettings = ReturnType<typeof createReadStepSettings>;
