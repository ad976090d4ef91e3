import { z } from 'zod';
import { isEmail } from '../email.ts';
import { linkHolds, maxLoopRounds } from './link-values.ts';

/** Items of a list that a group works through: the maximum, and how many at the same time. */
export const maxListItems = 100;
export const listItemsAtOnce = 5;

/** The maximum length of a link's label (UTF-16 units). */
export const linkLabelMaxLength = 100;
const linkLabel = z.string().trim().min(1).max(linkLabelMaxLength);

export const dataTestKinds = ['contains', 'equals', 'less', 'greater', 'fileExists', 'testsPass', 'testsFail'] as const;

/** Tests of the result of the project's test command. */
export const testResultKinds = ['testsPass', 'testsFail'] as const satisfies readonly (typeof dataTestKinds)[number][];

/**
 * A test of a step's answer. `field` is a path of keys, separated by dots, in the JSON object of the answer; without it the whole answer is
 * tested. `less` and `greater` compare numbers. `fileExists` tests whether the run has a file with the path `value`. `testsPass` and `testsFail` test
 * what a runner has executed after the step, and have no `value`. Where nothing was executed, neither holds: the label of the link counts, if it has one.
 */
const dataTest = z.object({
  field: z.string().trim().max(200).optional(),
  is: z.enum(dataTestKinds),
  value: z.string().max(1_000),
});
export type DataTest = z.infer<typeof dataTest>;

/** The effect of a review loop that has used its rounds: the result is passed on as not accepted, a person decides, or the run fails. */
export const loopLimits = ['handOn', 'ask', 'fail'] as const;

/** The maximum of inputs and of buttons of a person's card. */
export const maxPersonInputs = 8;
export const maxPersonButtons = 4;
/** How long a question waits for an answer (minutes): the default, 30 days, and the maximum, a year. */
export const questionMinutes = 30 * 24 * 60;
export const maxQuestionMinutes = 366 * 24 * 60;

const inputText = z.string().trim().min(1).max(200);

/** An input of a person's card. A file is a text file. */
const personInput = z.object({
  id: z.string().regex(/^[a-z]\w{0,39}$/i),
  label: inputText,
  type: z.enum(['text', 'choice', 'number', 'file']),
  isRequired: z.literal(true).optional(),
  /** Of a choice. */
  options: z.array(inputText).min(1).max(20).optional(),
});
export type PersonInput = z.infer<typeof personInput>;
export const personInputs = z.array(personInput).max(maxPersonInputs);

/** What happens when a question is due: the run fails, the step is skipped, or one of its buttons counts as pressed. A draft is handed on. */
export const whenDue = z.union([z.enum(['fail', 'skip', 'handOn']), z.object({ choose: z.string().max(100).nullable() })]);
export type WhenDue = z.infer<typeof whenDue>;

/**
 * Makes a step the part of a person: it asks, and calls no model. Its buttons are its own and the labels of its links, at most four; without
 * any one button sends the answer. A button that no link has ends the way: the run goes on without what lies behind the card.
 */
export const personSettings = z.object({
  /** Markdown. */
  question: z.string().max(20_000).default(''),
  inputs: personInputs.default([]),
  buttons: z.array(linkLabel).max(maxPersonButtons).optional(),
  dueMinutes: z.number().int().min(1).max(maxQuestionMinutes).optional(),
  /** `fail` unless set. */
  whenDue: whenDue.optional(),
  /** A person without an account, who gets a link by email. */
  email: z
    .string()
    .max(320)
    .refine(isEmail, { params: { rule: 'email' } })
    .optional(),
});
export type PersonSettings = z.infer<typeof personSettings>;

/** The settings of a link that change a run. A link without them means "after, with its result". */
export const linkSettings = z.object({
  /** A case: the links of one step that have labels are alternatives. */
  label: linkLabel.optional(),
  /** Decides the case by the answer's data, in the place of the agent. */
  test: dataTest.optional(),
  /** Makes a link that leads back a review loop. */
  maxRounds: z.number().int().min(1).max(maxLoopRounds).optional(),
  /** `handOn` unless set. */
  atLimit: z.enum(loopLimits).optional(),
  /** The link is taken if its source fails, and only then. */
  onFailure: z.literal(true).optional(),
  /** The link waits until a person hands the result on. */
  hold: z.enum(linkHolds).optional(),
});
export type LinkSettings = z.infer<typeof linkSettings>;

/** The settings of a step that change a run. */
export const stepSettings = z.object({
  /** The step begins with the first of its links that is taken; what leads only to the other links is cancelled. */
  firstWins: z.literal(true).optional(),
  /** `goOn`: a failure of this step does not end the run. Without it a failure ends the run, unless a link is taken if the step fails. */
  onFailure: z.literal('goOn').optional(),
  /** The step is the part of a person. */
  person: personSettings.optional(),
});
export type StepSettings = z.infer<typeof stepSettings>;

export const listFailures = ['stop', 'goOn', 'skip'] as const;

/**
 * A group that works through a list: its steps run once for each item of the list that the step before the group wrote, or of the run's
 * task where no step leads into the group. When a step fails
 * for an item, the run stops, or the other items go on. The result then shows the failed item (`goOn`) or leaves it out (`skip`).
 */
export const listSettings = z.object({ onFailure: z.enum(listFailures).default('stop') });
export type ListSettings = z.infer<typeof listSettings>;
