import type { z } from 'zod';
import type { executionCreation } from '../../../contract/execution.ts';
import { executionTimeoutSeconds, type Pipeline } from '../../../contract/pipeline.ts';
import type { Language } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AgentService, AgentVoice } from '../agents/index.ts';
import type { Pipelines } from '../pipelines/index.ts';
import { missingTask } from './failure-words.ts';
import type { NewExecution, NewStep } from './repository.ts';

export type NewExecutionDeps = {
  newId: () => string;
  now: () => Date;
  pipelines: Pick<Pipelines, 'find'>;
  agents: Pick<AgentService, 'heldVoices'>;
};

type Creation = z.output<typeof executionCreation>;
type Made = {
  execution: NewExecution & { source: string; dialogNodeId: string | null };
  /** A copy of the pipeline's steps and of their agents as they are now, none of whom is removed until the transaction ends. */
  stepsIn: (tx: Db) => Promise<Steps>;
};
type Steps = (NewStep & { agentTitle: string })[];

/**
 * The rows of an execution. Throws `not_found` for a pipeline or an agent that is gone, `illegal_state` for a pipeline that is a draft
 * or archived, and `bad_request` where there is no task.
 */
export async function newExecution(deps: NewExecutionDeps, userId: string, creation: Creation, language: Language): Promise<Made> {
  const pipeline = await deps.pipelines.find(userId, creation.pipelineId);
  if (!pipeline) throw new Fault('not_found');
  const { status } = pipeline;
  if (status === 'draft' || status === 'archived') throw new Fault('illegal_state', { details: { status } });
  const task = taskOf(creation);
  if (task === '') throw new Fault('bad_request', { errors: [{ path: 'initialTask', message: missingTask(language) }] });
  const agentIds = [...new Set(pipeline.steps.map(({ agentId }) => agentId))];
  const execution = {
    id: deps.newId(),
    userId,
    projectId: pipeline.projectId,
    pipelineId: pipeline.id,
    status: 'pending' as const,
    initialTask: task,
    input: creation.inputData,
    source: creation.inputData.source ?? '',
    dialogNodeId: creation.inputData.dialogNode?.id ?? null,
    language,
    stepsTotal: pipeline.steps.length,
    priority: creation.priority,
    timeoutSeconds: creation.timeoutSeconds ?? pipeline.maxExecutionTimeSeconds ?? executionTimeoutSeconds,
    pauseBetweenStepsMs: creation.pauseBetweenStepsMs,
    createdAt: deps.now(),
    updatedAt: deps.now(),
  };
  const stepsIn = async (tx: Db) => stepsOf(execution.id, pipeline, await deps.agents.heldVoices(tx, userId, agentIds));
  return { execution, stepsIn };
}

/** The first of the places where a caller may have put the task. */
function taskOf({ initialTask, inputData }: Creation): string {
  const places = [initialTask, inputData.task, inputData.userMessage, inputData.dialogNode?.goal];
  return places.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? '';
}

/** The pipeline's steps with their agents as they are now. Throws when an agent is gone. */
function stepsOf(executionId: string, pipeline: Pipeline, agents: AgentVoice[]): Steps {
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  return pipeline.steps.map((step) => {
    const agent = byId.get(step.agentId);
    if (!agent) throw new Fault('not_found');
    return {
      executionId,
      stepId: step.id,
      orderIndex: step.orderIndex,
      name: step.name,
      agentId: agent.id,
      nodeId: step.nodeId,
      agentTitle: agent.title,
      role: agent.role,
      systemPrompt: agent.systemPrompt,
      timeoutSeconds: step.timeoutSeconds,
      status: 'pending',
    };
  });
}
