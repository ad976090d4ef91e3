import type { AgentWork } from '../../../contract/agent.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { type BindValue, writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
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

/** `teamVersionId`: the version that the run works with; null for the agents and the project as they are. */
type StepPlace = { userId: OwnerId; projectId: string; executionId: string; agentId: string; teamVersionId: string | null };

/** SQL of one JSON value that `toStepSettings` reads: part of another statement, or alone. */
export function selectStepSettings({ userId, projectId, executionId, agentId, teamVersionId }: StepPlace, place: BindValue): string {
  return `SELECT json_build_object('agent', (${selectModelConfigs(userId, place(agentId), place, teamVersionId)}), 'hasBudget', EXISTS (
    SELECT 1 FROM budgets WHERE user_id = ${place(userId)}::uuid AND (project_id IS NULL OR project_id = ${place(projectId)}::uuid)
      AND (execution_id IS NULL OR execution_id = ${place(executionId)}::uuid)
      OR key_id = (SELECT key_id FROM executions WHERE id = ${place(executionId)}::uuid)),
    'ofProject', (${settingsOf(teamVersionId, () => `${place(projectId)}::uuid`, place)}))`;
}

/** SQL of the settings of a project, or of a version of its team. */
function settingsOf(teamVersionId: string | null, project: () => string, place: BindValue): string {
  if (teamVersionId === null) return `SELECT ${ofProject} FROM projects WHERE projects.id = ${project()}`;
  return `SELECT settings FROM team_versions WHERE team_versions.id = ${place(teamVersionId)}::uuid`;
}

/** SQL of one JSON value that `toProjectSettings` reads: part of a statement on `pipelines`. */
export function pipelineProjectSettings(teamVersionId: string | null, place: BindValue): string {
  return `json_build_object('hasBudget', ${hasBudget('pipelines')}, 'ofProject', (${settingsOf(teamVersionId, () => 'pipelines.project_id', place)}))`;
}

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
export function createReadStepLimits(run: RunStatement) {
  return async ({
    projectId,
    agentId,
    teamVersionId,
  }: Pick<StepPlace, 'projectId' | 'agentId' | 'teamVersionId'>): Promise<{ work: AgentWork | null; project: RoomOfProject }> => {
    const [row] = await run(
      writeStatement((place) => {
        const work =
          teamVersionId === null
            ? `SELECT work FROM agents WHERE id = ${place(agentId)}::uuid`
            : `SELECT agents->${place(agentId)}::text->'work' FROM team_versions WHERE id = ${place(teamVersionId)}::uuid`;
        return `SELECT (${work}) AS work, (${settingsOf(teamVersionId, () => `${place(projectId)}::uuid`, place)}) AS project`;
      }),
    );
    const { work, project } = row as { work: AgentWork | null; project: RoomOfProject | null };
    return { work, project: { maxTurns: project?.maxTurns ?? null, maxCalls: project?.maxCalls ?? null } };
  };
}

export type ReadStepLimits = ReturnType<typeof createReadStepLimits>;
export type ReadStepSettings = ReturnType<typeof createReadStepSettings>;
