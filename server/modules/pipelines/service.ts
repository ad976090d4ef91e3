import type { z } from 'zod';
import type { Pipeline, pipelineCreation } from '../../../contract/pipeline.ts';
import type { KeepAnswer } from '../../http/call.ts';
import { Fault } from '../../http/fault.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { type NewPipeline, pipelineRepository } from './repository.ts';

export type PipelinesDeps = {
  db: Db;
  newId: () => string;
  projects: Pick<ProjectService, 'resolve'>;
  agents: Pick<AgentService, 'voices'>;
};

export type Pipelines = ReturnType<typeof createPipelines>;

/** What a person may do with their pipelines. Somebody else's answers as if it did not exist. */
export function createPipelines({ db, newId, projects, agents }: PipelinesDeps) {
  const repository = pipelineRepository(db);
  return {
    list: repository.list,
    find: repository.find,
    archive: repository.archive,
    countIn: repository.countIn,

    async get(userId: string, id: string): Promise<Pipeline> {
      const pipeline = await repository.find(userId, id);
      if (!pipeline) throw new Fault('not_found');
      return pipeline;
    },

    /** Steps run in the order of their `orderIndex`, or `order`, or as they are listed. Every step's agent is the user's own. */
    async create(userId: string, creation: z.output<typeof pipelineCreation>, keepAnswer: KeepAnswer): Promise<Pipeline> {
      if (creation.steps.length === 0) throw new Fault('pipeline_empty');
      const projectId = await projects.resolve(userId, creation.projectId);
      const voices = await agents.voices(userId, [...new Set(creation.steps.map(({ agentId }) => agentId))]);
      const owned = new Set(voices.map(({ id }) => id));
      if (creation.steps.some(({ agentId }) => !owned.has(agentId))) throw new Fault('not_found');

      const ordered = creation.steps
        .map((step, position) => ({ step, position, order: step.orderIndex ?? step.order ?? position }))
        .sort((one, other) => one.order - other.order || one.position - other.position);
      const pipeline: NewPipeline = {
        id: newId(),
        userId,
        projectId,
        name: creation.name,
        description: creation.description,
        configuration: creation.configuration,
        status: 'ready',
        maxExecutionTimeSeconds: creation.maxExecutionTimeSeconds,
        isDemo: false,
        steps: ordered.map(({ step: { order: _order, ...step } }, orderIndex) => ({ ...step, id: newId(), orderIndex })),
      };
      return db.transaction(async (tx) => {
        const stored = await pipelineRepository(tx).add(pipeline);
        await keepAnswer(tx, stored);
        return stored;
      });
    },
  };
}
