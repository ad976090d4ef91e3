import { z } from 'zod';
import { runBudget } from '../budget.ts';
import { entity, id, maxInteger, page, timestamp, tokenUsage, wordOrPlace } from '../common.ts';
import { cost } from '../cost.ts';
import { failure } from '../errors.ts';
import { executionFile } from './file.ts';
import { executionPriority } from './pipeline.ts';
import { runHolds } from './question.ts';
import { stepMarks } from './step-mark.ts';
import { testRun } from './test-run.ts';
import { toolUse } from './tool-call.ts';

export const executionStatuses = ['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** A status in any of the spellings that servers and clients use for it. */
const executionStatus = wordOrPlace(executionStatuses, {
  queued: 'pending',
  in_progress: 'running',
  processing: 'running',
  active: 'running',
  stopped: 'cancelled',
  success: 'completed',
  finished: 'completed',
  error: 'failed',
  canceled: 'cancelled',
});
export const byExecutionStatus = z.object({ status: executionStatus });

export const stepStatuses = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'skipped', 'reused'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/**
 * The hand-off of a step's result along links that hold: `open` until a person decides, then `sent`, `skipped`, or `again` for another round
 * of a review loop.
 */
export const handOff = z.object({ state: z.enum(['open', 'sent', 'skipped', 'again']), linkIds: z.array(z.string()) });
export type HandOff = z.infer<typeof handOff>;

const readFileOfStep = z.object({ path: z.string(), sha256: z.string() });

/**
 * Parts that the prompts of a step leave out to fit the model's window: results of tools, texts of files, turns that a summary replaces, and
 * results of earlier agents that are cut.
 */
const shortenedPrompt = z.object({
  results: z.number().int().min(0),
  texts: z.number().int().min(0),
  summarised: z.number().int().min(0),
  earlier: z.number().int().min(0),
});

/** The wait before a call to the model is repeated: how long from the event on (ms), and why. */
const stepWait = z.object({ ms: z.number().int().min(0), reason: failure });
export type StepWait = z.infer<typeof stepWait>;

/** One step of one execution, as card, console and timeline show it. */

export const stepRun = z.object({
  /** The pipeline step's id. */
  stepId: id,
  orderIndex: z.number().int().min(0),
  name: z.string(),
  agentId: id,
  nodeId: z.string().nullable(),
  role: z.string(),
  status: z.enum(stepStatuses),
  attempts: z.number().int().min(0),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  durationMs: z.number().int().min(0).nullable(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** True when the simulated provider wrote `result`; shown wherever the text is. */
  simulated: z.boolean(),
  usage: tokenUsage.nullable(),
  /** What its model calls have cost; absent while nothing is known. */
  cost: cost.optional(),
  /** Markdown. */
  result: z.string().nullable(),
  error: failure.nullable(),
  /**
   * The round of its review loops that the step ran in, 0 unless set. In a loop within a loop: 32 times the round of the outer loop plus that of
   * the inner one.
   */
  round: z.number().int().min(0).optional(),
  /** The item of the list that the step worked on, from 1; absent outside a group with a list. */
  item: z.number().int().min(0).optional(),
  /** The step of the pipeline; the same as `stepId` except in later rounds and for later items. */
  pipelineStepId: id.optional(),
  /** The label that the step chose; absent if it had no choice. */
  choice: z.string().optional(),
  /** `person`: the step asks a person, and calls no model. */
  kind: z.literal('person').optional(),
  /** True when a person edited `result`; the draft is in its question. */
  isEdited: z.literal(true).optional(),
  /** Links whose target waits until a person hands the result on, or does not get it. */
  handOff: handOff.optional(),
  /** The user's files whose text the agent was shown, by hash; absent without any. */
  readFiles: z.array(readFileOfStep).optional(),
  /** What the step has done with tools; absent without any. */
  toolUse: toolUse.optional(),
  /** What a tester's step has executed; absent if nothing was. */
  testRun: testRun.optional(),
  /** What its prompts leave out; absent for nothing. */
  shortened: shortenedPrompt.optional(),
  /** What the result lacks; absent for nothing. */
  marks: z.array(z.enum(stepMarks)).optional(),
  /** Only in an event `step.retrying`. */
  wait: stepWait.optional(),
  /** Of a `reused` step: the step of an earlier execution that wrote the result. That execution may be removed. */
  reusedFrom: z.object({ executionId: id, stepId: id }).optional(),
});
export type ReadFileOfStep = z.infer<typeof readFileOfStep>;
export type StepRun = z.infer<typeof stepRun>;

export const execution = entity.extend({
  pipelineId: id,
  projectId: id,
  status: z.enum(executionStatuses),
  /** True until the start of an execution that was created without a start. */
  held: z.boolean().default(false),
  /** True from a pause call until the current step has finished. */
  pauseRequested: z.boolean(),
  initialTask: z.string(),
  dialogNodeId: z.string().nullable(),
  result: z.string().nullable(),
  /** In a list: true when `result` is cut; a call for one execution returns all of it. */
  resultIsCut: z.boolean().optional(),
  error: failure.nullable(),
  /** Share of finished steps, 0 to 100. */
  progress: z.number().min(0).max(100),
  priority: z.number().int(),
  timeoutSeconds: z.number().int(),
  pauseBetweenStepsMs: z.number().int(),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  failedAt: timestamp.nullable(),
  /** The newest event's number. */
  lastSeq: z.number().int().min(0),
  /** The files that the user gave to the run; absent without any. */
  inputSetId: id.optional(),
  /** Questions that wait for a person; absent for none. */
  openQuestions: z.number().int().min(1).optional(),
  /** Links that hold in this run; absent unless they were set for it. */
  holds: runHolds.optional(),
  /** The execution that this one is a fork of; absent for no fork, and once the original was removed. */
  parentId: id.optional(),
  /** When it was forked; absent for no fork. */
  forkedAt: timestamp.optional(),
  /** The version of the canvas that the run began with; absent in the answer to its start, and for a run from before versions. */
  canvasVersion: z.number().int().min(0).optional(),
  /** The version of its team that the run began with; absent for a run from before these versions. */
  teamVersionId: id.optional(),
  /** True when a budget has ended the run: its result is what there was. */
  limited: z.literal(true).optional(),
  /** When its events, turns and calls of tools were removed, long after its end; absent while it has them. All else is there. */
  thinnedAt: timestamp.optional(),
});
export type Execution = z.infer<typeof execution>;

/** Cards that a run may be kept to begin with. The beginning of one with more is read from its links. */
export const maxBeginnings = 1_000;

/**
 * What the workspace began a run with, by the ids of the canvas: a dialog, start cards, or the card that was run. None: all cards. `alone`: the
 * cards, or the dialog's target, without what follows.
 */
export const runBeginning = z.object({ nodeIds: z.array(z.string().max(200)).max(maxBeginnings), alone: z.literal(true).optional() });
export type RunBeginning = z.infer<typeof runBeginning>;

/** `begunWith`: absent for a run from before this was kept, and for one of another caller. */
export const executionDetails = execution.extend({ steps: z.array(stepRun), begunWith: runBeginning.optional() });
export type ExecutionDetails = z.infer<typeof executionDetails>;

const linkStates = ['pending', 'waiting', 'passing', 'taken', 'dead'] as const;

/**
 * A link of a run that follows links, over all rounds and items. `pending`: nothing is decided. `waiting`: it is taken, and its target has not begun.
 * `passing`: its target is at work. `taken`: its target has ended. `dead`: its target never gets the result. `from` and `to` are steps of the pipeline.
 */
export const executionLink = z.object({ id: z.string(), from: id, to: id, state: z.enum(linkStates) });
export type ExecutionLink = z.infer<typeof executionLink>;

const priority = z.number().int().min(0).max(10);
const timeoutSeconds = z.number().int().min(1).max(86_400);
const pauseBetweenStepsMs = z.number().int().min(0).max(60_000);

/** The input of an execution, whether it starts at once or later. */
export const executionCreation = z.object({
  pipelineId: id,
  initialTask: z.string().trim().max(100_000).optional(),
  inputData: z
    .object({
      task: z.string().max(100_000).optional(),
      userMessage: z.string().max(100_000).optional(),
      dialogNode: z
        .object({ id: z.string().max(200), title: z.string().max(200), goal: z.string().max(4_000) })
        .nullable()
        .optional(),
      agents: z
        .array(z.object({ id: z.string().max(200), title: z.string().max(200) }))
        .max(500)
        .optional(),
      connections: z.array(z.unknown()).max(20_000).optional(),
      source: z.string().max(200).optional(),
      triggerCommand: z.string().max(200).optional(),
      begunWith: runBeginning.optional(),
    })
    .loose()
    .default({}),
  priority: priority.default(executionPriority),
  timeoutSeconds: timeoutSeconds.optional(),
  /** 1000 when the workspace starts the run (the pause between agents), 0 for other callers. */
  pauseBetweenStepsMs: pauseBetweenStepsMs.default(0),
  /** The files of the run, of the same project. Several runs may use one set. */
  inputSetId: id.optional(),
  /** Links that hold in this run from its start. */
  holds: runHolds.optional(),
  /** Limits of the model calls of this run. */
  budget: runBudget.optional(),
  /** A version of the project's team: the run works with its agents and settings, whatever has changed since. */
  teamVersionId: id.optional(),
});

/**
 * `executionId` names an execution of the pipeline that has not started. It starts with its own settings; other fields are ignored.
 * The first step of a new one begins after `startAfterMs`, 1000 when the workspace starts the run.
 */
export const executionStart = executionCreation.extend({
  executionId: id.optional(),
  startAfterMs: z.number().int().min(0).max(5_000).default(0),
});
export type ExecutionStart = z.input<typeof executionStart>;

/** A field that is left out keeps its value. The task can change until the start, the other fields also during a pause. */
export const executionSettings = z.object({
  initialTask: z.string().trim().min(1).max(100_000).optional(),
  priority: priority.optional(),
  timeoutSeconds: timeoutSeconds.optional(),
  pauseBetweenStepsMs: pauseBetweenStepsMs.optional(),
});

/** Text for every later step of a running execution. */
/** The longest text that is added to a run (UTF-16 units). */
export const maxContextLength = 100_000;

export const userInputContext = z.object({
  type: z.string().max(100).default('user_input'),
  content: z.string().trim().min(1).max(maxContextLength),
  source: z.string().max(100).default('dialog'),
  /** Of `previous_results`: the run whose results the text has. */
  executionId: id.optional(),
  dialogNodeId: z.string().max(200).nullable().default(null),
  dialogNodeTitle: z.string().max(200).nullable().default(null),
  timestamp: timestamp.optional(),
  projectId: z.string().max(200).optional(),
  context: z.unknown().optional(),
});

export const executionQuery = page.extend({
  projectId: id.or(z.literal('default')).optional(),
  status: executionStatus.optional(),
  /** Only executions that this trigger of the caller has started. */
  triggerId: id.optional(),
});

/** `since`: only events after this number. */
export const logsQuery = z.object({
  since: z.coerce.number().int().min(0).max(maxInteger).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});

const count = z.number().int().min(0);

/** Totals of one execution. */
export const executionStatistics = z.object({
  executionId: id,
  status: z.enum(executionStatuses),
  progress: z.number(),
  totalSteps: count,
  steps: z.record(z.enum(stepStatuses), count),
  /** Model calls, and how many of them were retries. */
  attempts: count,
  retries: count,
  tokenUsage,
  /** The working time, and the time from the start to the end or now (ms); null before the start. */
  activeMs: count,
  elapsedMs: count.nullable(),
  /** Of the steps that have ended (ms). */
  averageStepMs: count.nullable(),
  longestStep: z.object({ stepId: id, name: z.string(), durationMs: count }).nullable(),
  simulatedSteps: count,
  contexts: count,
  events: count,
  /** Number and bytes of the files in their latest versions. */
  files: z.object({ count, bytes: count }),
});
export type ExecutionStatistics = z.infer<typeof executionStatistics>;

/** What later steps of an execution can read. */
export const executionMemory = z.object({
  executionId: id,
  task: z.string(),
  contexts: z.array(
    z.object({
      position: z.number().int().min(1),
      type: z.string(),
      content: z.string(),
      source: z.string(),
      dialogNodeId: z.string().nullable(),
      dialogNodeTitle: z.string().nullable(),
      createdAt: timestamp,
    }),
  ),
  /** Results of finished steps, in order. */
  results: z.array(
    z.object({
      stepId: id,
      orderIndex: count,
      name: z.string(),
      agentId: id,
      agentTitle: z.string(),
      role: z.string(),
      text: z.string(),
      simulated: z.boolean(),
      /** Whether a runner has executed the tests of a tester's report; null for other results. */
      executed: z.boolean().nullable(),
    }),
  ),
  files: z.array(executionFile),
});
export type ExecutionMemory = z.infer<typeof executionMemory>;
