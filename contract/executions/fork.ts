import { z } from 'zod';
import { providerTypes } from '../agent.ts';
import { runBudget } from '../budget.ts';
import { id } from '../common.ts';
import { currency } from '../cost.ts';
import { execution, runBeginning } from './execution.ts';

/** The most models that one step is tried with at the same time. */
export const maxTriedModels = 3;
export const triedModelMaxLength = 200;
/** The maximum length of an edited result (UTF-16 units), and of all edits of a fork. */
export const editedResultMaxLength = 100_000;
export const maxEdits = 100;
/** The most other runs that a fork takes results from. */
const maxResultRuns = 10;

/** What becomes of one run of a step in a fork. */
const forkStates = ['reused', 'rerun', 'new', 'gone'] as const;
export type ForkState = (typeof forkStates)[number];

/**
 * Why, in three groups:
 * - reused: the step had the `same` input, was `edited` by the user, or is `skipped` now as it was then.
 * - rerun: it was `chosen`, or it `follows` a step that runs again or was edited. Or its `prompt`, model `settings`, `input` or the `files` that
 *   it has read are others. Or the product asks in another `format`, it is `unfinished`, or an earlier version of the product ran it (`unknown`).
 * - new and gone: the step was `added`, it was `removed`, or its agent was (`agentRemoved`).
 */
const forkReasons = [
  ...(['same', 'edited', 'skipped'] as const),
  ...(['chosen', 'follows', 'prompt', 'settings', 'input', 'files', 'format', 'unfinished', 'unknown'] as const),
  ...(['added', 'removed', 'agentRemoved'] as const),
] as const;
export type ForkReason = (typeof forkReasons)[number];

const place = z.object({
  stepId: id,
  /** As in a step of an execution. */
  round: z.number().int().min(0).default(0),
  item: z.number().int().min(0).default(0),
});
export type ForkPlace = z.output<typeof place>;

/** Another model for the chosen step. The key of the agent is used only with the agent's own provider. */
const triedModel = z.object({
  providerType: z.enum(providerTypes),
  model: z.string().trim().min(1).max(triedModelMaxLength),
});
export type TriedModel = z.infer<typeof triedModel>;

export const forkRequest = z.object({
  /**
   * This run of a step and all that follow it run again. With another pipeline it may be a step that the original never had. Null: only what
   * has changed or was edited.
   */
  from: place.nullable().default(null),
  /** Results that take the place of the stored ones. The steps that get them run again. */
  edits: z
    .array(place.extend({ result: z.string().max(editedResultMaxLength) }))
    .max(maxEdits)
    .default([]),
  /** `then`: steps, links and prompts as they ran. `now`: those of the pipeline and of the agents as they are now. */
  graph: z.enum(['then', 'now']).default('then'),
  /** Of `now`: another pipeline of the same project, for a canvas that has changed. Steps are the same by their node. */
  pipelineId: id.optional(),
  /** What that pipeline begins with; as the original unless given. */
  begunWith: runBeginning.optional(),
  /** The model of the step in `from`. */
  model: triedModel.optional(),
  /** The step in `from` goes on with its text, which a limit has cut off: nothing of it is lost. */
  continues: z.boolean().default(false),
  /** Pauses the fork once the step in `from` has ended. */
  onlyStep: z.boolean().default(false),
  /** Of `now`: each other step keeps the result that it has, whatever of it has changed meanwhile. */
  keepsResults: z.boolean().default(false),
  /** With `keepsResults`: other runs that have ended. A newer result of the same step there takes the place of the original's. */
  resultsFrom: z.array(id).max(maxResultRuns).default([]),
  /** The fork ends once the step in `from` has ended: what follows is not reached. */
  endsThere: z.boolean().default(false),
  /** Limits of the model calls of the fork; those of the original's own budget unless given. */
  budget: runBudget.optional(),
  /** Starts nothing. */
  dryRun: z.boolean().default(false),
});
export type ForkRequest = z.input<typeof forkRequest>;

/** A range of tokens that a step needed in the latest runs, and of what they would cost now: millionths of a currency. */
const range = z.object({ min: z.number().int().min(0), max: z.number().int().min(0) });

const costRange = range.extend({ currency });
export type CostRange = z.infer<typeof costRange>;

const forkedStep = z.object({
  /** The step of the fork's pipeline; of a `gone` one that of the original. */
  stepId: id,
  nodeId: z.string().nullable(),
  name: z.string(),
  round: z.number().int().min(0),
  item: z.number().int().min(0),
  state: z.enum(forkStates),
  reason: z.enum(forkReasons),
  /** A person's step, which calls no model. */
  kind: z.literal('person').optional(),
  /** Of a step that runs; null if it never ran before. */
  tokens: range.nullable(),
  cost: z.array(costRange),
  /** Its model has no known price, or it never ran before. */
  isCostUnknown: z.literal(true).optional(),
});
export type ForkedStep = z.infer<typeof forkedStep>;

export const fork = z.object({
  /** Null for a dry run. */
  execution: execution.nullable(),
  steps: z.array(forkedStep),
  /** Of all steps that run and ran before; with `onlyStep` of the chosen one. */
  tokens: range,
  cost: z.array(costRange),
  isCostUnknown: z.literal(true).optional(),
});
export type Fork = z.infer<typeof fork>;
