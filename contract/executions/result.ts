import { z } from 'zod';
import { entity, id, numberOrWord, page, timestamp } from '../common.ts';
import { day, endOf, startOf } from '../day.ts';
import { projectId } from '../project.ts';
import { resultStatus, resultType } from './result-kinds.ts';

export const resultItem = entity.extend({
  projectId: id,
  pipelineExecutionId: id,
  userId: id,
  userRequest: z.string(),
  finalResult: z.string(),
  /** In a list: true when `finalResult` is cut; a call for one item returns all of it. */
  finalResultIsCut: z.boolean().optional(),
  summary: z.string(),
  type: z.literal([1, 2, 4]),
  status: z.literal([1, 2, 3, 4]),
  /** JSON text: dialogType, agentName, timestamp and extras. */
  metadata: z.string(),
  /** Comma-separated. */
  tags: z.string(),
  agentsCount: z.number().int(),
  stepsCount: z.number().int(),
  /** The execution that this one is a fork of; absent for no fork, and once the original was removed. */
  parentExecutionId: id.optional(),
  /** When it was forked; absent for no fork. */
  forkedAt: timestamp.optional(),
  /** The published execution whose branch this one goes on with; absent for none. It may be removed. */
  followsExecutionId: id.optional(),
  /** The trigger that has started it; absent for none, and once the trigger was removed. */
  trigger: z.object({ id, name: z.string() }).optional(),
  /** The branch that it was published to; absent for none. */
  publishedBranch: z.string().optional(),
});
export type ResultItem = z.infer<typeof resultItem>;

const statusWord = numberOrWord(resultStatus, {
  pending: 1,
  running: 1,
  in_progress: 1,
  success: 2,
  finished: 2,
  error: 3,
  canceled: 4,
  stopped: 4,
});
const typeWord = numberOrWord(resultType, { running: 1, completed: 2, failed: 4, error: 4 });

const maxMetadataLength = 100_000;
const text = z.string().max(1_000_000);

/** An item as clients save it. `agentResponse`, `resultType` and `resultStatus` are aliases and take precedence. */
const fields = {
  finalResult: text.optional(),
  /** The agent's response. With it the item is Completed and a Success, unless status or type is set. */
  agentResponse: text.nullable().optional(),
  summary: z.string().max(10_000).optional(),
  type: typeWord.optional(),
  resultType: typeWord.optional(),
  status: statusWord.optional(),
  resultStatus: statusWord.optional(),
  /** JSON text, or the object itself; its fields replace existing ones. */
  metadata: z.union([z.string().max(maxMetadataLength), z.record(z.string(), z.unknown())]).optional(),
  tags: z.string().max(2_000).optional(),
  agentsCount: z.number().int().min(0).max(10_000).optional(),
  stepsCount: z.number().int().min(0).max(10_000).optional(),
};
const userRequest = z.string().max(100_000);

/**
 * Creating an item for an execution that has one updates and returns it. What is left out is Processing, or stays; what was asked
 * for is the execution's task. The record of a dialog says by itself what was asked for. W5.08
 */
export const resultCreation = z
  .object({ projectId, pipelineExecutionId: id, userRequest: userRequest.optional(), ...fields })
  .refine(({ userRequest, tags }) => userRequest !== undefined || !isOfDialog(tags), {
    path: ['userRequest'],
    params: { rule: 'required' },
  });

function isOfDialog(tags = ''): boolean {
  return tags.split(',')[0]?.trim() === 'dialog';
}

/** A field that is left out keeps its value. */
export const resultUpdate = z.object({ userRequest: userRequest.optional(), ...fields });
export type ResultUpdate = z.output<typeof resultUpdate>;

export const byResultStatus = z.object({ projectId, status: statusWord });
export const byResultType = z.object({ projectId, type: typeWord });

/**
 * `q` is looked for in request, result, summary and tags, in any case; each of the comma-separated `tags` in the tags. `from` and
 * `to` are days or moments of the making, both of which belong to the range.
 */
export const resultSearch = page
  .extend({
    q: z.string().trim().max(200).optional(),
    tags: z.string().trim().max(500).optional(),
    status: statusWord.optional(),
    type: typeWord.optional(),
    from: day.optional(),
    to: day.optional(),
    /** Only runs that this trigger of the caller has started. */
    triggerId: id.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || startOf(from) < endOf(to), {
    path: ['to'],
    params: { rule: 'endAfterStart' },
  });

export const recentQuery = z.object({ count: z.coerce.number().int().min(1).max(200).default(10) });

const count = z.number().int().min(0);

export const resultStatistics = z.object({
  total: count,
  processing: count,
  completed: count,
  failed: count,
  cancelled: count,
  /** The share of the ended ones that completed, 0 to 100; null if none has ended. */
  successRate: z.number().min(0).max(100).nullable(),
  /** The mean working time of the completed ones that report it (ms). */
  averageExecutionTime: z.number().min(0).nullable(),
  /** The tokens of all that report them. */
  totalTokens: z.number().min(0),
  firstAt: timestamp.nullable(),
  lastAt: timestamp.nullable(),
});
export type ResultStatistics = z.infer<typeof resultStatistics>;
