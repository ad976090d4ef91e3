import { z } from 'zod';
import { limitReached } from '../budget.ts';
import { id, page, timestamp, tokenUsage } from '../common.ts';
import { maxLimits } from '../max-limits.ts';
import { installNeeds } from '../runner.ts';
import { linkLabelMaxLength, personInputs, whenDue } from './run-graph.ts';
import { toolArgumentsMaxLength, toolCall } from './tool-call.ts';

const questionKinds = ['hand_off', 'person', 'tool', 'unknown_outcome', 'budget', 'room', 'install'] as const;
export type QuestionKind = (typeof questionKinds)[number];
/**
 * Why a run asks: the card of a person, or a link that holds. Or an agent named no case of its links, or a review loop has used its rounds.
 * About a call of a tool: its policy asks (`tool`), or words from outside are in the run (`outside`). Or it was under way when the server
 * stopped (`unknown`). A call does not fit into a budget (`budget`), or has no price in the currency of one (`price`).
 * The install step of a run with words from outside asks for hosts beyond the operator's list (`install`).
 * A step has used its turns (`turns`) or calls of tools (`calls`), or its turns are as long together as they may be (`length`).
 */
const questionReasons = [
  ...(['card', 'hold', 'choice', 'limit', 'tool', 'outside', 'unknown', 'lost', 'budget', 'price'] as const),
  ...(['turns', 'calls', 'length', 'install'] as const),
] as const;
const questionStates = ['open', 'answered', 'expired', 'withdrawn'] as const;
export type QuestionState = (typeof questionStates)[number];

/** The longest text of an answer (UTF-16 units). */
export const answerTextMaxLength = 100_000;
/** The longest text file in an answer (UTF-16 units; 256 KiB as bytes). */
export const answerFileMaxLength = 256 * 1024;

/**
 * - `answer`: what the card of a person asks for: a button and values, or the case that an agent did not name.
 * - `handOn`: hands the draft on; with `text` an edited one. A step that has used its turns completes with what it has said.
 * - `askAgain`: the agent works again, with `text` as a note.
 * - `anotherRound`: of a review loop that has used its rounds.
 * - `skip`: the links that wait die, and a person's step is skipped.
 * - `approve`: carries a call of a tool out, with `args` edited ones. `approveInRun`: the same, and further calls of this tool in this run do not ask
 *   while its definition stays, and go to the same host where the arguments choose it; only for a tool that changes nothing. `refuse`: does not, with `text` as a note to the agent.
 *   About hosts of an install step: `approve` executes it again with these hosts in reach, for this run alone; `refuse` goes on without them.
 * - `repeat`: carries a call out again whose outcome is not known. `skipCall`: leaves it; `enterResult`: `text` is its result.
 * - `asMuchAgain`: adds the budget to itself, for this run, day or month, or the turns or calls of a step; `newLimit`: `limit` is the new figure. `goOn`: calls models without a
 *   price in this run. `endHere`: the run ends with what there is.
 * - `stop`: cancels the run.
 */
const answerActions = [
  'answer',
  'handOn',
  'askAgain',
  'anotherRound',
  'skip',
  'approve',
  'approveInRun',
  'refuse',
  'repeat',
  'skipCall',
  'enterResult',
  'asMuchAgain',
  'newLimit',
  'goOn',
  'endHere',
  'stop',
] as const;
export type AnswerAction = (typeof answerActions)[number];

const answerFile = z.object({ name: z.string().trim().min(1).max(200), content: z.string().max(answerFileMaxLength) });

export const questionAnswer = z.object({
  action: z.enum(answerActions),
  /** The button of a person's card, or the label of a case; null for "otherwise". */
  label: z.string().max(linkLabelMaxLength).nullable().optional(),
  /** Values by the ids of the inputs. */
  values: z.record(z.string().max(40), z.union([z.string().max(answerTextMaxLength), z.number(), answerFile])).optional(),
  /** The edited draft, the note, or a comment. */
  text: z.string().max(answerTextMaxLength).optional(),
  /** The edited arguments of a call, a JSON object. */
  args: z.string().max(toolArgumentsMaxLength).optional(),
  /** The new figure of a budget, in the unit of the question's limit. */
  limit: z.number().int().min(1).max(maxLimits.micros).optional(),
  /** Versions of files that the answer replaces although its writer had not seen them: those that a refusal has named. */
  overwrites: z.array(z.string().length(64)).max(500).optional(),
});
export type QuestionAnswer = z.infer<typeof questionAnswer>;

/** An answer as it is shown: files without their content. */
const givenAnswer = questionAnswer.omit({ overwrites: true }).extend({
  values: z.record(z.string(), z.union([z.string(), z.number(), z.object({ name: z.string() })])).optional(),
});

export type GivenAnswer = z.infer<typeof givenAnswer>;

/** What a step has used up, and what one more grant adds: turns, calls of tools, or the length of its turns (UTF-16 units), which does not grow. */
const roomReached = z.object({
  kind: z.enum(['turns', 'calls', 'length']),
  limit: z.number().int().min(1),
  used: z.number().int().min(0),
  more: z.number().int().min(0),
});
export type RoomReached = z.infer<typeof roomReached>;

/** What became of the letter with a link to the person of a card. `outbox`: this server has no mail server, and only stores letters. */
export const letterStates = ['waiting', 'sent', 'outbox', 'unconfirmed', 'limit'] as const;
export type LetterState = (typeof letterStates)[number];

/** A question of a run to a person. */
export const question = z.object({
  id,
  executionId: id,
  projectId: id,
  pipelineId: id,
  stepId: id,
  /** The card that asks. */
  nodeId: z.string().nullable(),
  round: z.number().int().min(0),
  item: z.number().int().min(0),
  kind: z.enum(questionKinds),
  reason: z.enum(questionReasons),
  /** The card's title, and the titles of the steps that wait for the answer. */
  title: z.string(),
  waiting: z.array(z.string()),
  /** The beginning of the run's task. */
  task: z.string(),
  /** Markdown; empty where `reason` says it all. */
  text: z.string(),
  inputs: personInputs,
  /** Buttons of a person's card, or cases to choose from. Null stands for "otherwise". Without any, one button sends the answer. */
  buttons: z.array(z.string().nullable()),
  /** What this question can be answered with. */
  actions: z.array(z.enum(answerActions)),
  /** Links that wait for the answer, by the ids of the pipeline's links. */
  linkIds: z.array(z.string()),
  /** The call of a tool that the question is about. `host`: where it goes, if its arguments choose that. `isChanged`: a person has approved the tool in this run as it was defined before. */
  call: toolCall
    .pick({ turn: true, callId: true, tool: true, source: true, effect: true, args: true })
    .extend({ host: z.string().optional(), isChanged: z.boolean().optional() })
    .optional(),
  /** The limit of a budget that the question is about. */
  budget: limitReached.optional(),
  /** What the step has used up that asks. */
  room: roomReached.optional(),
  /** What the install step was refused. */
  install: installNeeds.optional(),
  /** Model calls of the draft so far, and the tokens of the last one. */
  /** The letter to a person without an account, whom the card names. `unconfirmed`: the account's own address is not confirmed; `limit`: it has sent too many. */
  letter: z.object({ to: z.string(), state: z.enum(letterStates) }).optional(),
  attempts: z.number().int().min(0),
  usage: tokenUsage.nullable(),
  simulated: z.boolean(),
  state: z.enum(questionStates),
  openedAt: timestamp,
  dueAt: timestamp,
  whenDue,
  answer: givenAnswer.nullable(),
  answeredAt: timestamp.nullable(),
  /** The name of the account that answered, or the email of a person who answered by a link; null for none. */
  answeredBy: z.string().nullable(),
});
export type Question = z.infer<typeof question>;

/** A question with the texts that are read to answer it. */
export const questionDetails = question.extend({
  /** The agent's answer that is not handed on yet (Markdown). After an answer: as the agent wrote it. */
  draft: z.string().nullable(),
  /** The results before a person's step, in the order of its links. `round`: that of a review loop, from 1. */
  before: z.array(z.object({ title: z.string(), role: z.string(), text: z.string(), round: z.number().int().min(1).optional() })),
  /** Buttons of a person's card that send the work back: an answer by one of them says in words what should change. Absent without any. */
  backButtons: z.array(z.string().nullable()).optional(),
});
export type QuestionDetails = z.infer<typeof questionDetails>;

export const questionQuery = page.extend({
  state: z.enum(questionStates).optional(),
  projectId: id.or(z.literal('default')).optional(),
});

/** A link with which a person without an account answers one question, once. The token is in this response only. */
export const questionLink = z.object({ token: z.string(), path: z.string(), expiresAt: timestamp });

export type QuestionLink = z.infer<typeof questionLink>;

/** A token of a signed link. */
export const byToken = z.object({ token: z.string().regex(/^[\w-]{43}$/) });

/**
 * What the holder of a signed link sees: this question, who asks it, and nothing else of the run.
 * `answer` is what was answered with this link; null before, and for an answer that was given elsewhere.
 */
export const linkedQuestion = questionDetails
  .pick({
    kind: true,
    reason: true,
    title: true,
    text: true,
    inputs: true,
    buttons: true,
    backButtons: true,
    state: true,
    draft: true,
    before: true,
    dueAt: true,
    answeredAt: true,
    answer: true,
    /** Whether results of the run were written by the simulated model. */
    simulated: true,
  })
  .extend({
    /** The names of the account and its project, and the beginning of the run's task. */
    from: z.object({ account: z.string(), project: z.string(), task: z.string() }),
  });
export type LinkedQuestion = z.infer<typeof linkedQuestion>;

/** Which links of a run hold: all, or some by the ids of the pipeline's links. A link that is not named keeps its own setting. */
export const runHolds = z.object({
  all: z.boolean().default(false),
  links: z.record(z.string().max(200), z.enum(['always', 'once', 'never'])).default({}),
});
export type RunHolds = z.infer<typeof runHolds>;
