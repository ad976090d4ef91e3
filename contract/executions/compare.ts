import { z } from 'zod';
import { id } from '../common.ts';
import { cost } from '../cost.ts';
import { execution, stepStatuses } from './execution.ts';

export const compareQuery = z.object({ left: id, right: id });

const count = z.number().int().min(0);

/** One run of a step on one side. */
const comparedSide = z.object({
  /** The step of this execution, for its result. */
  stepId: id,
  status: z.enum(stepStatuses),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  simulated: z.boolean(),
  /** Null for a step that called no model; so is one that was reused. */
  tokens: count.nullable(),
  cost: cost.optional(),
  durationMs: count.nullable(),
  attempts: count,
  isEdited: z.literal(true).optional(),
  /** Characters of the result; null without one. */
  length: count.nullable(),
});
export type ComparedSide = z.infer<typeof comparedSide>;

/** `changed`: another result or outcome. `same` says nothing of time and cost. */
const comparedStates = ['same', 'changed', 'added', 'removed'] as const;

/** The same step of two executions, by its node on the canvas, its round and its item. */
const comparedStep = z.object({
  nodeId: z.string().nullable(),
  name: z.string(),
  role: z.string(),
  round: count,
  item: count,
  state: z.enum(comparedStates),
  left: comparedSide.nullable(),
  right: comparedSide.nullable(),
});
export type ComparedStep = z.infer<typeof comparedStep>;

/** What an execution needed. Reused steps need nothing. */
const totals = z.object({ tokens: count, durationMs: count, cost });

export const comparison = z.object({
  left: execution,
  right: execution,
  steps: z.array(comparedStep),
  totals: z.object({ left: totals, right: totals }),
});
export type Comparison = z.infer<typeof comparison>;
