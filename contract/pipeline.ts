import { z } from 'zod';
import { entity, id } from './common.ts';

export const pipelineStatuses = ['draft', 'ready', 'running', 'archived'] as const;
export const stepTimeoutSeconds = 1_800;
export const executionTimeoutSeconds = 3_600;

export const pipelineStep = z.object({
  id,
  name: z.string(),
  description: z.string(),
  orderIndex: z.number().int().min(0),
  agentId: id,
  /** The canvas node this step stands for. */
  nodeId: z.string().nullable(),
  timeoutSeconds: z.number().int().min(1),
  type: z.literal(1),
});

export const pipelineStepCreation = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4_000).default(''),
  orderIndex: z.number().int().min(0).optional(),
  order: z.number().int().min(0).optional(),
  agentId: id,
  nodeId: z.string().max(200).nullable().default(null),
  timeoutSeconds: z.number().int().min(1).max(stepTimeoutSeconds).default(stepTimeoutSeconds),
  type: z.literal(1).default(1),
});

export const pipeline = entity.extend({
  name: z.string(),
  description: z.string(),
  projectId: id,
  steps: z.array(pipelineStep),
  /** JSON text: `{ connections, flowType: 'sequential' }`. */
  configuration: z.string(),
  status: z.enum(pipelineStatuses),
  maxExecutionTimeSeconds: z.number().int().nullable(),
  isDemo: z.boolean(),
});
export type Pipeline = z.infer<typeof pipeline>;

export const pipelineCreation = z.object({
  name: z.string().trim().min(1).max(200),
  description: z.string().max(4_000).default(''),
  projectId: id.or(z.literal('default')),
  steps: z.array(pipelineStepCreation).max(500),
  configuration: z.string().max(1_000_000).default('{}'),
  maxExecutionTimeSeconds: z.number().int().min(1).max(86_400).nullable().default(null),
});
export type PipelineCreation = z.input<typeof pipelineCreation>;
