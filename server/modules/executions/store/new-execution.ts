import type { z } from 'zod';
import type { executionCreation } from '../../../../contract/executions/execution.ts';
import { executionTimeoutSeconds } from '../../../../contract/executions/pipeline.ts';
import { ApiError, orNotFound } from '../../../http/api-error.ts';
import type { CallerKey, Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { defaultsOf } from '../../../platform/database/statement.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { AgentModelConfig } from '../../agents/index.ts';
import type { BudgetRow, Budgets, ProjectSettings } from '../../budgets/index.ts';
import type { InputsOfRuns } from '../../inputs/index.ts';
import { type Pipelines, type Plan, refuseBrokenRunGraph } from '../../pipelines/index.ts';
import type { TeamVersions } from '../../team-versions/index.ts';
import { missingTask } from './failure-texts.ts';
import { chainGraphOf, isHolding, refuseTooManyHolds } from './held-links.ts';
import { type ExecutionRow, type StepRow, unbegun } from './rows.ts';
import { executions } from './tables.ts';
import { isFromOutside, type WordSource, wordsOfCaller } from './word-sources.ts';

export type NewExecutionDeps = {
  newId: () => string;
  now: () => Date;
  pipelines: Pick<Pipelines, 'plan'>;
  inputs: InputsOfRuns;
  /** Tells whether a project is published to the repository. */
  isOwnRepository: (projectId: string, url: string) => Promise<boolean>;
  budgets: Pick<Budgets, 'ofNewRun'>;
  teams: Pick<TeamVersions, 'ensureNow' | 'assertWhole'>;
};

const unsetOfNew = defaultsOf(executions);

/** An execution before it is stored. Its steps are in order. */
type MadeExecution = {
  row: ExecutionRow;
  steps: StepRow[];
  agents: AgentModelConfig[];
  budget: BudgetRow | null;
  settings: ProjectSettings;
};

/** `key`: the API key of a program that asks. `words`: where the task comes from; unless given, the caller. */
export type AskedRun = {
  userId: OwnerId;
  creation: z.output<typeof executionCreation>;
  language: Language;
  key: CallerKey | undefined;
  words?: WordSource;
};

/**
 * Creates an execution with a copy of its pipeline's steps and of their agents. `jobId` names its job; without a job it waits for its
 * start. Throws `not_found` for a removed pipeline or agent and for files that are gone. Throws `illegal_state` for a pipeline that is a
 * draft or archived, and `bad_request` without a task or with links that cannot run.
 */
export async function newExecution(
  deps: NewExecutionDeps,
  { userId, creation, language, key, words = wordsOfCaller(key) }: AskedRun,
  jobId: string | null,
): Promise<MadeExecution> {
  const plan = await readPlan(deps, userId, creation.pipelineId, creation.teamVersionId);
  if (creation.teamVersionId !== undefined) await deps.teams.assertWhole(userId, creation.teamVersionId, language);
  if (plan.graph) await refuseBrokenRunGraph(plan.graph, plan.steps, language);
  if (promptsLength(plan) > maxPromptsLength)
    throw new ApiError('bad_request', { errors: [{ path: 'pipelineId', message: translate(language, 'field.prompts_too_long') }] });
  const task = taskOf(creation);
  if (task === '') throw new ApiError('bad_request', { errors: [{ path: 'initialTask', message: missingTask(language) }] });
  const inputSetId = creation.inputSetId ?? null;
  const inputWords = inputSetId === null ? [] : await wordsOfInputs(deps, { userId, projectId: plan.projectId, setId: inputSetId });
  if (inputWords === null) throw new ApiError('not_found', { sentence: translate(language, 'field.input_set_gone') });
  const holds = creation.holds && isHolding(creation.holds) ? creation.holds : null;
  if (holds) refuseTooManyHolds(holds, 'holds.links', language);
  const now = deps.now();
  const executionId = deps.newId();
  const steps = stepsOf(executionId, plan);
  const row: ExecutionRow = {
    ...unsetOfNew,
    id: executionId,
    userId,
    projectId: plan.projectId,
    pipelineId: plan.id,
    status: 'pending',
    jobId,
    notStarted: jobId === null,
    graph: plan.graph ?? (holds ? chainGraphOf(steps, creation.inputData) : null),
    holds,
    hasOutside: [words, ...inputWords].some(isFromOutside),
    hasOutsideTask: isFromOutside(words),
    initialTask: task,
    input: creation.inputData,
    source: creation.inputData.source ?? '',
    dialogNodeId: creation.inputData.dialogNode?.id ?? null,
    inputSetId,
    ...startedBy(key),
    language,
    stepsTotal: plan.steps.length,
    priority: creation.priority,
    timeoutSeconds: creation.timeoutSeconds ?? plan.maxExecutionTimeSeconds ?? executionTimeoutSeconds,
    pauseBetweenStepsMs: creation.pauseBetweenStepsMs,
    teamVersionId: plan.teamVersionId,
    fromVersion: creation.teamVersionId !== undefined,
    createdAt: now,
    updatedAt: now,
  };
  const budget = creation.budget ? deps.budgets.ofNewRun({ userId, executionId, budget: creation.budget }, language) : null;
  const hasBudget = plan.settings.hasBudget || budget !== null || key?.hasBudget === true;
  return { row, steps, agents: plan.agents, budget, settings: { ...plan.settings, hasBudget } };
}

/** What a run stores of the API key of the program that starts it. */
export function startedBy(key: CallerKey | undefined): Pick<ExecutionRow, 'keyId' | 'calledFrom'> {
  return { keyId: key?.id ?? null, calledFrom: key?.address || null };
}

/**
 * Reads a pipeline that may start, with the version of its team. A team that was changed since its last version gets one first, and is then read from it:
 * a run and its version are the same, also where the team is edited meanwhile. Throws `not_found`, and `illegal_state` for a draft and an archived pipeline.
 */
export async function readPlan(
  { pipelines, teams }: Pick<NewExecutionDeps, 'pipelines' | 'teams'>,
  userId: OwnerId,
  pipelineId: string,
  teamVersionId?: string,
): Promise<Plan> {
  const read = async (versionId: string | undefined) => {
    const plan = orNotFound(await pipelines.plan(userId, pipelineId, versionId));
    const { status } = plan;
    if (status === 'draft' || status === 'archived') throw new ApiError('illegal_state', { details: { status } });
    return plan;
  };
  const plan = await read(teamVersionId);
  if (plan.teamVersionId !== null) return plan;
  if (teamVersionId !== undefined) throw new ApiError('not_found');
  const made = await teams.ensureNow(plan.projectId, userId, [...new Set(plan.steps.map(({ agentId }) => agentId))]);
  return read(made.id);
}

/** Returns where the words of a run's files come from; null for a set that is gone. */
async function wordsOfInputs(
  { inputs, isOwnRepository }: NewExecutionDeps,
  set: Parameters<InputsOfRuns['find']>[0],
): Promise<WordSource[] | null> {
  const found = await inputs.find(set);
  if (!found) return null;
  const given: WordSource[] = found.hasReview ? ['givenFile', 'review'] : ['givenFile'];
  if (found.repository === null) return given;
  return [...given, (await isOwnRepository(set.projectId, found.repository)) ? 'ownRepository' : 'foreignRepository'];
}

/** The maximum of all system prompts together (UTF-16 units): an execution stores a copy for each step. */
const maxPromptsLength = 16 * 1024 * 1024;

function promptsLength({ steps, agents }: Plan): number {
  const lengths = new Map(agents.map(({ id, systemPrompt }) => [id, systemPrompt.length]));
  return steps.reduce((sum, { agentId }) => sum + (lengths.get(agentId) ?? 0), 0);
}

/** Returns the task from the first of the fields that may hold it. */
function taskOf({ initialTask, inputData }: AskedRun['creation']): string {
  const places = [initialTask, inputData.task, inputData.userMessage, inputData.dialogNode?.goal];
  return places.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? '';
}

/** Copies the pipeline's steps and their agents. Throws when an agent was removed. */
export function stepsOf(executionId: string, plan: Pick<Plan, 'steps' | 'agents' | 'graph'>): StepRow[] {
  const byId = new Map(plan.agents.map((agent) => [agent.id, agent]));
  const persons = new Set(plan.graph?.nodes.flatMap(({ id, person }) => (person ? [id] : [])));
  return plan.steps.map((step) => {
    const agent = byId.get(step.agentId);
    if (!agent) throw new ApiError('not_found');
    return {
      executionId,
      stepId: step.id,
      orderIndex: step.orderIndex,
      name: step.name,
      agentId: agent.id,
      nodeId: step.nodeId,
      // A person's step has the person's name, and calls no model.
      agentTitle: persons.has(step.id) ? step.name : agent.title,
      role: persons.has(step.id) ? 'user' : agent.role,
      systemPrompt: persons.has(step.id) ? '' : agent.systemPrompt,
      timeoutSeconds: step.timeoutSeconds,
      ...unbegun,
      pipelineStepId: null,
      round: 0,
      item: 0,
      triedModel: null,
      kind: persons.has(step.id) ? 'person' : null,
    };
  });
}
