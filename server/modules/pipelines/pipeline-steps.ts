import type { z } from 'zod';
import { maxSteps, type Pipeline, type pipelineStepCreation, type pipelineStepUpdate } from '../../../contract/executions/pipeline.ts';
import { ApiError, orNotFound } from '../../http/api-error.ts';
import type { Language, StoreIdempotentResponse } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { Db } from '../../platform/database/database.ts';
import type { OwnerId } from '../../platform/owner-id.ts';
import { assertOwnAgents } from './assert-own-agents.ts';
import { PipelineRepository, type PipelineStep } from './repository.ts';
import { assertNotArchived, type PipelinesDeps } from './service.ts';

type StepCreation = z.output<typeof pipelineStepCreation>;
type StepUpdate = z.output<typeof pipelineStepUpdate>;

/** The steps of a pipeline. An execution has its own copies, which no change here affects. */
export function createPipelineSteps({ db, newId, agents }: Pick<PipelinesDeps, 'db' | 'newId' | 'agents'>) {
  /** Changes the steps of a pipeline under its lock. */
  const changing = <T>(userId: OwnerId, id: string, work: (tx: Db, pipeline: Pipeline) => Promise<T>): Promise<T> =>
    db.transaction(async (tx) => {
      const pipeline = orNotFound(await new PipelineRepository(tx).lock(userId, id));
      assertNotArchived(pipeline);
      const value = await work(tx, pipeline);
      await new PipelineRepository(tx).change(id, {});
      return value;
    });

  const changingStep = async <T>(userId: OwnerId, stepId: string, work: (tx: Db, pipeline: Pipeline, step: PipelineStep) => Promise<T>) => {
    const pipelineId = orNotFound(await new PipelineRepository(db).pipelineOf(stepId));
    return changing(userId, pipelineId, async (tx, pipeline) => {
      const step = pipeline.steps.find(({ id }) => id === stepId);
      if (!step) throw new ApiError('not_found');
      return work(tx, pipeline, step);
    });
  };

  return {
    /** Inserts a step at its order, or at the end, and moves the following steps. */
    async add(
      userId: OwnerId,
      pipelineId: string,
      creation: StepCreation,
      language: Language,
      storeIdempotentResponse: StoreIdempotentResponse,
    ) {
      return changing(userId, pipelineId, async (tx, { steps }) => {
        await assertOwnAgents(agents, userId, [creation]);
        if (steps.length >= maxSteps) {
          throw new ApiError('conflict', {
            errors: [{ path: 'steps', message: translate(language, 'field.too_many_steps', { most: maxSteps }) }],
          });
        }
        const { order, orderIndex, ...fields } = creation;
        const inside = new PipelineRepository(tx);
        const id = newId();
        const place = Math.min(orderIndex ?? order ?? steps.length, steps.length);
        await inside.addSteps(pipelineId, [{ ...fields, id, orderIndex: steps.length }]);
        await inside.orderSteps(pipelineId, idsOf(steps).toSpliced(place, 0, id));
        const step: PipelineStep = { ...fields, id, orderIndex: place };
        await storeIdempotentResponse(tx, step);
        return step;
      });
    },

    /** Changes the given fields; a new order moves the step. */
    async update(userId: OwnerId, stepId: string, { order, orderIndex, ...given }: StepUpdate): Promise<PipelineStep> {
      return changingStep(userId, stepId, async (tx, { id: pipelineId, steps }, step) => {
        if (given.agentId !== undefined) await assertOwnAgents(agents, userId, [{ agentId: given.agentId }]);
        const inside = new PipelineRepository(tx);
        const { name, description, agentId, nodeId, timeoutSeconds, settings, groupId } = { ...step, ...given };
        const fields = { name, description, agentId, nodeId, timeoutSeconds, ...(settings && { settings }), ...(groupId && { groupId }) };
        const place = Math.min(orderIndex ?? order ?? step.orderIndex, steps.length - 1);
        await inside.changeStep(stepId, fields);
        if (place !== step.orderIndex) {
          const others = idsOf(steps).filter((id) => id !== stepId);
          await inside.orderSteps(pipelineId, others.toSpliced(place, 0, stepId));
        }
        return { ...step, ...fields, orderIndex: place };
      });
    },

    /** Removes a step. The last one cannot be removed: a pipeline has at least one step. */
    async remove(userId: OwnerId, stepId: string): Promise<void> {
      await changingStep(userId, stepId, async (tx, { id: pipelineId, steps }) => {
        const left = idsOf(steps).filter((id) => id !== stepId);
        if (left.length === 0) throw new ApiError('pipeline_empty');
        const inside = new PipelineRepository(tx);
        await inside.keepSteps(pipelineId, left);
        await inside.orderSteps(pipelineId, left);
      });
    },

    /** Reorders all steps. A list that does not name each of them once is refused. */
    async reorder(userId: OwnerId, pipelineId: string, stepIds: readonly string[], language: Language): Promise<PipelineStep[]> {
      return changing(userId, pipelineId, async (tx, { steps }) => {
        const wanted = new Set(stepIds);
        const refuse = (code: 'bad_request' | 'conflict') =>
          new ApiError(code, {
            errors: [{ path: 'stepIds', message: translate(language, 'field.step_order') }],
            details: { stepIds: idsOf(steps) },
          });
        if (wanted.size !== stepIds.length) throw refuse('bad_request');
        if (wanted.size !== steps.length || steps.some(({ id }) => !wanted.has(id))) throw refuse('conflict');
        await new PipelineRepository(tx).orderSteps(pipelineId, stepIds);
        const places = new Map(stepIds.map((id, place) => [id, place]));
        const placed = steps.map((step) => ({ ...step, orderIndex: places.get(step.id) ?? 0 }));
        return placed.sort((one, other) => one.orderIndex - other.orderIndex);
      });
    },
  };
}

function idsOf(steps: readonly PipelineStep[]): string[] {
  return steps.map(({ id }) => id);
}
