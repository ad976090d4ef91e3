import type { Pipeline } from '../../../contract/executions/pipeline.ts';
import type { RunGraph } from '../../../rules/run-graph/run-graph.ts';
import { type GraphParts, runGraphOf } from '../../../rules/run-graph/run-graph-of.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import { jsonObject, writeStatement } from '../../platform/database/statement.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { type AgentModelConfig, type AgentService, selectModelConfigs } from '../agents/index.ts';
import { type ProjectSettings, pipelineProjectSettings, toProjectSettings } from '../budgets/index.ts';
import { versionOfPipeline } from '../team-versions/index.ts';
import { pipelineSteps, pipelines } from './tables.ts';

/** The parts of a pipeline that an execution copies; its steps are in order. */
export type Plan = Pick<Pipeline, 'id' | 'projectId' | 'status' | 'maxExecutionTimeSeconds'> & {
  steps: Pick<Pipeline['steps'][number], 'id' | 'orderIndex' | 'name' | 'agentId' | 'nodeId' | 'timeoutSeconds'>[];
  /** Null: the steps run one after another. */
  graph: RunGraph | null;
  /** Its agents that the user still has, in no particular order. */
  agents: AgentModelConfig[];
  settings: ProjectSettings;
  /** The version of its team; null where the team was not stored as it is now. */
  teamVersionId: string | null;
};

const ofPipeline = ['id', 'projectId', 'status', 'maxExecutionTimeSeconds', 'links', 'groups', 'maxParallel'];
const ofStep = ['id', 'orderIndex', 'name', 'agentId', 'nodeId', 'timeoutSeconds', 'settings', 'groupId'];
type StoredPipeline = Pick<Plan, 'id' | 'projectId' | 'status' | 'maxExecutionTimeSeconds'> & GraphParts;
type StoredStep = Plan['steps'][number] & GraphParts['steps'][number];
const ofItsSteps = 'SELECT agent_id FROM pipeline_steps WHERE pipeline_id = pipelines.id';

/**
 * Reads the plan of one of the user's pipelines, null for none: one prepared statement, since every start needs it. With `teamVersionId` its agents and
 * settings are as in this version of the team.
 */
export function readPlan(
  run: RunStatement,
  agents: Pick<AgentService, 'modelConfigFrom'>,
): (userId: OwnerId, id: string, teamVersionId?: string | null) => Promise<Plan | null> {
  return async (userId, id, teamVersionId = null) => {
    const [row] = await run(
      writeStatement(
        (place) => `SELECT ${jsonObject(pipelines, ofPipeline)} AS pipeline,
          CASE WHEN coalesce(jsonb_array_length(links), 0) = 0 THEN configuration END AS configuration,
          (SELECT json_agg(${jsonObject(pipelineSteps, ofStep)} ORDER BY order_index) FROM pipeline_steps WHERE pipeline_id = pipelines.id) AS steps,
          (SELECT json_agg(agent) FROM (${selectModelConfigs(userId, ofItsSteps, place, teamVersionId)}) AS known) AS agents,
          ${pipelineProjectSettings(teamVersionId, place)} AS settings,
          ${teamVersionId === null ? versionOfPipeline : `(SELECT id FROM team_versions WHERE id = ${place(teamVersionId)}::uuid AND project_id = pipelines.project_id)`} AS "teamVersionId"
        FROM pipelines WHERE id = ${place(id)} AND user_id = ${place(userId)} AND removed_at IS NULL`,
      ),
    );
    if (!row) return null;
    const modelConfigs = ((row.agents ?? []) as unknown[]).flatMap((agent) => agents.modelConfigFrom(agent) ?? []);
    const { links, groups, maxParallel, ...pipeline } = row.pipeline as StoredPipeline;
    const stored = (row.steps ?? []) as StoredStep[];
    const steps = stored.map(({ settings: _settings, groupId: _groupId, ...step }) => step);
    return {
      ...pipeline,
      steps,
      graph: runGraphOf({ steps: stored, links, groups, maxParallel, configuration: row.configuration as string | null }),
      agents: modelConfigs,
      settings: toProjectSettings(row.settings),
      teamVersionId: row.teamVersionId as string | null,
    };
  };
}
