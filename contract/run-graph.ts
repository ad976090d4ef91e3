import { z } from 'zod';

/** Steps that run at the same time in one execution: the default of branches that run together, and the maximum. */
export const parallelSteps = 4;
export const maxParallelSteps = 16;
/** Rounds of a review loop: the default, and the maximum. */
export const loopRounds = 3;
export const maxLoopRounds = 20;
/** Items of a list that a group works through: the maximum, and how many at the same time. */
export const maxListItems = 100;
export const listItemsAtOnce = 5;

/** The maximum length of a link's label (UTF-16 units). */
export const linkLabelMaxLength = 100;

export const dataTestKinds = ['contains', 'equals', 'less', 'greater', 'fileExists'] as const;

/**
 * A test of a step's answer. `field` is a path of keys, separated by dots, in the JSON object of the answer; without it the whole answer is
 * tested. `less` and `greater` compare numbers. `fileExists` tests whether the run has a file with the path `value`.
 */
export const dataTest = z.object({
  field: z.string().trim().max(200).optional(),
  is: z.enum(dataTestKinds),
  value: z.string().max(1_000),
});
export type DataTest = z.infer<typeof dataTest>;

/** What happens when a review loop has used its rounds: the result is handed on as not accepted, or the run fails. */
export const loopLimits = ['handOn', 'fail'] as const;

/** The settings of a link that change a run. A link without them means "after, with its result". */
export const linkSettings = z.object({
  /** A case: the links of one step that have labels are alternatives. */
  label: z.string().trim().min(1).max(linkLabelMaxLength).optional(),
  /** Decides the case by the answer's data, in the place of the agent. */
  test: dataTest.optional(),
  /** Makes a link that leads back a review loop. */
  maxRounds: z.number().int().min(1).max(maxLoopRounds).optional(),
  /** `handOn` unless set. */
  atLimit: z.enum(loopLimits).optional(),
  /** The link is taken if its source fails, and only then. */
  onFailure: z.literal(true).optional(),
});
export type LinkSettings = z.infer<typeof linkSettings>;

/** The settings of a step that change a run. */
export const stepSettings = z.object({
  /** The step begins with the first of its links that is taken; what leads only to the other links is cancelled. */
  firstWins: z.literal(true).optional(),
  /** `goOn`: a failure of this step does not end the run. Without it a failure ends the run, unless a link is taken if the step fails. */
  onFailure: z.literal('goOn').optional(),
});
export type StepSettings = z.infer<typeof stepSettings>;

export const listFailures = ['stop', 'goOn', 'skip'] as const;

/**
 * A group that works through a list: its steps run once for each item of the list that the step before the group wrote. When a step fails
 * for an item, the run stops, or the other items go on and the failed item is shown in the result (`goOn`) or left out (`skip`).
 */
export const listSettings = z.object({ onFailure: z.enum(listFailures).default('stop') });
export type ListSettings = z.infer<typeof listSettings>;
