import { z } from 'zod';
import { entity, id } from './common.ts';

/** History item numbers, as the specification of the history counts them. */
export const resultStatus = { processing: 1, completed: 2, failed: 3, cancelled: 4 } as const;
export const resultType = { processing: 1, success: 2, failure: 4 } as const;

export const resultItem = entity.extend({
  projectId: id,
  pipelineExecutionId: id,
  userId: id,
  userRequest: z.string(),
  finalResult: z.string(),
  summary: z.string(),
  type: z.literal([1, 2, 4]),
  status: z.literal([1, 2, 3, 4]),
  /** JSON text: dialogType, agentName, timestamp and extras. */
  metadata: z.string(),
  /** Comma-separated. */
  tags: z.string(),
  agentsCount: z.number().int(),
  stepsCount: z.number().int(),
});
export type ResultItem = z.infer<typeof resultItem>;

/** Creating an item for an execution that has one updates and returns it. */
export const resultCreation = z.object({
  projectId: id.or(z.literal('default')),
  pipelineExecutionId: id,
  userRequest: z.string().max(100_000),
  finalResult: z.string().max(1_000_000).default('Processing...'),
  summary: z.string().max(10_000).default(''),
  type: z.literal([1, 2, 4]).default(1),
  status: z.literal([1, 2, 3, 4]).default(1),
  metadata: z.string().max(100_000).default('{}'),
  tags: z.string().max(2_000).default(''),
  agentsCount: z.number().int().min(0).max(10_000).default(1),
  stepsCount: z.number().int().min(0).max(10_000).default(1),
});
