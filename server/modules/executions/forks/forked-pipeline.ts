import type { z } from 'zod';
import { usualWork } from '../../../../contract/agent.ts';
import type { forkRequest } from '../../../../contract/executions/fork.ts';
import type { CompiledGraph, RunGraph, RunLink } from '../../../../rules/run-graph/run-graph.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { AgentModelConfig, AgentService } from '../../agents/index.ts';
import { compiledOf } from '../graph/compiled-graph.ts';
import { originOf } from '../graph/step-states.ts';
import { chainGraphOf } from '../store/held-links.ts';
import { type NewExecutionDeps, readPlan, stepsOf } from '../store/new-execution.ts';
import type { ExecutionRow, StepRow } from '../store/rows.ts';
import { versionOfRun } from '../store/version-of-run.ts';

export type ForkRequest = z.output<typeof forkRequest>;

/** What a fork will carry out: the steps of its pipeline before the first one begins, by id, and the agents that are still there. */
export type ForkedPipeline = {
  pipelineId: string;
  team: Pick<ExecutionRow, 'teamVersionId' | 'fromVersion'>;
  /** As it is stored: null for steps that run one after another. */
  graph: RunGraph | null;
  compiled: CompiledGraph;
  bases: Map<string, StepRow>;
  agents: Map<string, AgentModelConfig>;
  /** The step of the fork for a row of the original; null if it has none. */
  stepFor: (row: StepRow) => string | null;
};

type PipelineDeps = Pick<NewExecutionDeps, 'pipelines' | 'teams'> & { agents: Pick<AgentService, 'modelConfigs'> };
type Original = { row: ExecutionRow; steps: readonly StepRow[] };

/** Reads what a fork carries out: the original's steps and links, or those of a pipeline. Throws as a start does. */
export async function readForkedPipeline(
  deps: PipelineDeps,
  userId: OwnerId,
  original: Original,
  asked: ForkRequest,
): Promise<ForkedPipeline> {
  return asked.graph === 'then' ? pipelineThen(deps, userId, original) : pipelineNow(deps, userId, original, asked.pipelineId);
}

async function pipelineThen({ agents }: PipelineDeps, userId: OwnerId, { row, steps }: Original): Promise<ForkedPipeline> {
  const graph = row.graph && withOwnRounds(row.graph);
  const bases = steps.filter(({ pipelineStepId }) => pipelineStepId === null);
  const configs = await agents.modelConfigs(userId, [...new Set(bases.map(({ agentId }) => agentId))], versionOfRun(row));
  return {
    pipelineId: row.pipelineId,
    team: { teamVersionId: row.teamVersionId, fromVersion: row.fromVersion },
    graph,
    compiled: compiledOf(graph ?? chainGraphOf(bases, row.input)),
    bases: new Map(bases.map((base) => [base.stepId, base])),
    agents: new Map(configs.map((config) => [config.id, config])),
    stepFor: originOf,
  };
}

/** A run that ended with one step had fewer rounds than its links say. */
function withOwnRounds(graph: RunGraph): RunGraph {
  if (!graph.links.some(({ own }) => own)) return graph;
  return { ...graph, links: graph.links.map(({ own, ...link }) => (own ? { ...withoutLimits(link), ...own } : link)) };
}

function withoutLimits({ maxRounds: _maxRounds, atLimit: _atLimit, ...link }: RunLink): RunLink {
  return link;
}

async function pipelineNow(
  deps: PipelineDeps,
  userId: OwnerId,
  { row, steps }: Original,
  pipelineId = row.pipelineId,
): Promise<ForkedPipeline> {
  const plan = await readPlan(deps, userId, pipelineId);
  if (plan.projectId !== row.projectId) throw new ApiError('not_found');
  const agents = new Map(plan.agents.map((agent) => [agent.id, agent]));
  // Steps of removed agents are planned too: the preview names them.
  const made = plan.steps.map((step) => agents.get(step.agentId) ?? { ...removedAgent, id: step.agentId, title: step.name });
  const bases = new Map(stepsOf(row.id, { ...plan, agents: made }).map((base) => [base.stepId, base]));
  const byNode = new Map([...bases.values()].flatMap(({ nodeId, stepId }) => (nodeId === null ? [] : [[nodeId, stepId] as const])));
  const nodeOf = new Map(steps.map((step) => [step.stepId, step.nodeId]));
  return {
    pipelineId: plan.id,
    team: { teamVersionId: plan.teamVersionId, fromVersion: false },
    bases,
    agents,
    graph: plan.graph ?? (row.holds ? chainGraphOf([...bases.values()], row.input) : null),
    compiled: compiledOf(plan.graph ?? chainGraphOf([...bases.values()], row.input)),
    stepFor: (step) => {
      const origin = originOf(step);
      if (bases.has(origin)) return origin;
      const nodeId = nodeOf.get(origin) ?? step.nodeId;
      return (nodeId === null ? undefined : byNode.get(nodeId)) ?? null;
    },
  };
}

const removedAgent: Omit<AgentModelConfig, 'id' | 'title'> = {
  name: '',
  role: '',
  systemPrompt: '',
  contextAccessLevel: 1,
  providerType: 'simulated',
  model: '',
  temperature: 0,
  maxTokens: 1,
  baseUrl: null,
  folderId: null,
  effort: null,
  mayGoWithoutTools: false,
  work: usualWork,
  apiKey: null,
  fallback: null,
  keyUndecryptable: false,
  hasTools: false,
  isOwnerVerified: false,
};
