import type { z } from 'zod';
import type { Pipeline, pipelineCreation, pipelineUpdate } from '../../../contract/executions/pipeline.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import type { Db } from '../../platform/database/database.ts';
import type { RunStatement } from '../../platform/database/prepared-statements.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import type { AgentService } from '../agents/index.ts';
import type { ProjectService } from '../projects/index.ts';
import { countReached } from '../storage/index.ts';
import { assertOwnAgents } from './assert-own-agents.ts';
import { refuseBrokenGraph } from './graph-problems.ts';
import { readPlan } from './read-plan.ts';
import { type NewPipeline, PipelineRepository, type PipelineStep } from './repository.ts';

export type PipelinesDeps = {
  db: Db;
  run: RunStatement;
  newId: () => string;
  projects: Pick<ProjectService, 'resolve' | 'canvas' | 'assertCanvasVersion'>;
  agents: Pick<AgentService, 'statusesOf' | 'modelConfigFrom'>;
  /** The most pipelines of one account. */
  maxPipelines: number;
};

export type Pipelines = ReturnType<typeof createPipelines>;
type Creation = z.output<typeof pipelineCreation>;
type Update = z.output<typeof pipelineUpdate>;

/** The operations on a user's pipelines. A foreign pipeline is answered like a missing one. */
export function createPipelines({ db, run, newId, projects, agents, maxPipelines }: PipelinesDeps) {
  const repository = new PipelineRepository(db);

  const inOrder = (steps: Required<Update>['steps']) => ordered(steps, newId);
  const changed = (userId: OwnerId, id: string, change: Change) => changeLocked(db, userId, id, change);

  return {
    list: repository.list.bind(repository),
    plan: readPlan(run, agents),
    countIn: repository.countIn.bind(repository),
    owned: repository.owned.bind(repository),
    removeUnused: repository.removeUnused.bind(repository),
    countOf: repository.countOf.bind(repository),

    async get(userId: OwnerId, id: string): Promise<Pipeline> {
      return orNotFound(await repository.find(userId, id));
    },

    /** Creates a pipeline. Steps run in the order of `orderIndex`, or `order`, or of the list. Their agents must be the user's own. Throws `canvas_stale`. */
    async create(
      userId: OwnerId,
      creation: Creation,
      language: Language,
      storeIdempotentResponse: StoreIdempotentResponse,
    ): Promise<Pipeline> {
      if (creation.steps.length === 0) throw new ApiError('pipeline_empty');
      const projectId = await projects.resolve(userId, creation.projectId);
      if (creation.canvasVersion !== undefined) await projects.assertCanvasVersion(projectId, creation.canvasVersion);
      await assertOwnAgents(agents, userId, creation.steps);
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
        steps: inOrder(creation.steps),
        ...graphFields(creation),
      };
      await refuseBrokenGraph(pipeline, language);
      return db.transaction(async (tx) => {
        const inside = new PipelineRepository(tx);
        if ((await inside.countBelow(userId, maxPipelines)) >= maxPipelines) throw countReached('pipelines', maxPipelines);
        const stored = await inside.add(pipeline);
        await storeIdempotentResponse(tx, stored);
        return stored;
      });
    },

    /** Changes the given fields. Active executions continue unchanged. */
    async update(userId: OwnerId, id: string, { steps, ...fields }: Update, language: Language): Promise<Pipeline> {
      return changed(userId, id, async (tx, before) => {
        assertNotArchived(before);
        const inside = new PipelineRepository(tx);
        if (steps) {
          if (steps.length === 0) throw new ApiError('pipeline_empty');
          const known = new Set(before.steps.map((step) => step.id));
          const kept = steps.flatMap((step) => step.id ?? []);
          if (kept.some((stepId) => !known.has(stepId))) throw new ApiError('not_found');
          if (new Set(kept).size < kept.length) throw new ApiError('bad_request');
          await assertOwnAgents(agents, userId, steps);
          await inside.keepSteps(id, []);
          await inside.addSteps(id, inOrder(steps));
        }
        await inside.change(id, fields);
        const after = await inside.find(userId, id);
        if (after) await refuseBrokenGraph(after, language);
      });
    },

    /** Sets any status but `running`, which follows from the executions. During an execution the status stays. */
    async setStatus(userId: OwnerId, id: string, status: Pipeline['status']): Promise<Pipeline> {
      return changed(userId, id, async (tx, before) => {
        if (before.status === 'running' || status === 'running')
          throw new ApiError('illegal_state', { details: { status: before.status } });
        await new PipelineRepository(tx).change(id, { status });
      });
    },

    /** Hides a pipeline. Its executions, with their logs, files and history, stay. */
    async remove(userId: OwnerId, id: string): Promise<void> {
      const isRemoved = await db.transaction((tx) => new PipelineRepository(tx).remove(userId, id));
      if (!isRemoved) throw new ApiError('not_found');
    },
  };
}

type Change = (tx: Db, before: Pipeline) => Promise<void>;

async function changeLocked(db: Db, userId: OwnerId, id: string, change: Change): Promise<Pipeline> {
  return db.transaction(async (tx) => {
    const inside = new PipelineRepository(tx);
    const before = orNotFound(await inside.lock(userId, id));
    await change(tx, before);
    const after = await inside.find(userId, id);
    if (!after) throw new Error('The pipeline has gone under its lock.');
    return after;
  });
}

/** Returns steps in the order of `orderIndex`, or `order`, or of the list. */
function ordered(steps: Required<Update>['steps'], newId: () => string): PipelineStep[] {
  return steps
    .map((step, position) => ({ step, position, order: step.orderIndex ?? step.order ?? position }))
    .sort((one, other) => one.order - other.order || one.position - other.position)
    .map(({ step: { order: _order, ...step } }, orderIndex) => ({ ...step, id: step.id ?? newId(), orderIndex }));
}

function graphFields({ links, groups, maxParallel }: Pick<Creation, 'links' | 'groups' | 'maxParallel'>) {
  return { ...(links && { links }), ...(groups && { groups }), ...(maxParallel !== undefined && { maxParallel }) };
}

/** An archived pipeline cannot be changed. */
export function assertNotArchived({ status }: Pipeline): void {
  if (status === 'archived') throw new ApiError('illegal_state', { details: { status } });
}
