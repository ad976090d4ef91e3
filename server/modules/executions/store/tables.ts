import type { TokenUsage } from '../../../../contract/common.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { Failure } from '../../../../contract/errors.ts';
import type { ExecutionStart, ExecutionStatus, HandOff, ReadFileOfStep, StepStatus } from '../../../../contract/executions/execution.ts';
import type { ExecutionEvent } from '../../../../contract/executions/execution-event.ts';
import type { TriedModel } from '../../../../contract/executions/fork.ts';
import type { GivenAnswer, Question, QuestionState, RunHolds } from '../../../../contract/executions/question.ts';
import type { WhenDue } from '../../../../contract/executions/run-graph.ts';
import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { ToolCallState, ToolEffect, ToolSource, ToolUse } from '../../../../contract/executions/tool-call.ts';
import type { RunGraph } from '../../../../rules/run-graph/run-graph.ts';
import type { Language } from '../../../http/call.ts';
import { boolean, figure, integer, jsonb, moment, pgTable, primaryKey, text, uuid } from '../../../platform/database/drizzle.ts';
import type { LeftOut, Shortened } from '../../../platform/llm/fit/left-out.ts';
import type { ModelImage } from '../../../platform/llm/language-model.ts';
import type { OwnerId } from '../../../platform/owner-id.ts';
import type { InstallHosts } from '../../../platform/runner/runner.ts';
import type { RefusedFile } from '../../files/index.ts';
import type { PendingAnswer, StoredTestRun } from './step-answer.ts';

export const executions = pgTable('executions', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  pipelineId: uuid('pipeline_id').notNull(),
  status: text('status').$type<ExecutionStatus>().notNull(),
  pauseRequested: boolean('pause_requested').notNull().default(false),
  leaseEpoch: integer('lease_epoch').notNull().default(0),
  jobId: uuid('job_id'),
  singleStep: boolean('single_step').notNull().default(false),
  notStarted: boolean('not_started').notNull().default(false),
  initialTask: text('initial_task').notNull(),
  graph: jsonb('graph').$type<RunGraph>(),
  openQuestions: integer('open_questions').notNull().default(0),
  /** The step whose question about a budget is open: nothing new begins meanwhile. */
  budgetHold: uuid('budget_hold'),
  /** Models without a price may be called although a budget of money applies. */
  unpricedAllowed: boolean('unpriced_allowed').notNull().default(false),
  /** A budget ends the run, or has ended it, with what there is. */
  limited: boolean('limited').notNull().default(false),
  holds: jsonb('holds').$type<RunHolds>(),
  /** Steps have written files. */
  hasFiles: boolean('has_files').notNull().default(false),
  /** Words from outside are in the run. */
  hasOutside: boolean('has_outside').notNull().default(false),
  /** Its task is from outside, so that also a fork that keeps nothing has such words. */
  hasOutsideTask: boolean('has_outside_task').notNull().default(false),
  /** Keys of tools that a person has approved for the rest of the run. */
  approvedTools: jsonb('approved_tools').$type<string[]>(),
  installHosts: jsonb('install_hosts').$type<InstallHosts>(),
  input: jsonb('input').$type<NonNullable<ExecutionStart['inputData']>>().notNull(),
  source: text('source').notNull().default(''),
  dialogNodeId: text('dialog_node_id'),
  /** The files that the user gave to the run. */
  inputSetId: uuid('input_set_id'),
  language: text('language').$type<Language>().notNull(),
  error: jsonb('error').$type<Failure>(),
  stepsTotal: integer('steps_total').notNull(),
  stepsDone: integer('steps_done').notNull().default(0),
  priority: integer('priority').notNull().default(5),
  timeoutSeconds: integer('timeout_seconds').notNull(),
  pauseBetweenStepsMs: integer('pause_between_steps_ms').notNull().default(0),
  activeMs: figure('active_ms').notNull().default(0),
  lastSeq: integer('last_seq').notNull().default(0),
  startedAt: moment('started_at'),
  completedAt: moment('completed_at'),
  failedAt: moment('failed_at'),
  /** The execution that this one is a fork of. */
  parentId: uuid('parent_id'),
  /** The API key that has started the run: its budget applies. */
  keyId: uuid('key_id'),
  /** The address of the program with that key. */
  calledFrom: text('called_from'),
  forkedAt: moment('forked_at'),
  /** The version of the canvas that the run began with; the database enters the present one where it is null. */
  canvasVersion: integer('canvas_version'),
  /** The version of its team; null for a run from before versions. `fromVersion`: it works with the agents and settings of that version. */
  teamVersionId: uuid('team_version_id'),
  fromVersion: boolean('from_version').notNull().default(false),
  /** When its events and turns were removed, long after its end. */
  thinnedAt: moment('thinned_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** `isEdited`: a person handed on another text than the agent's. */
type StoredHandOff = HandOff & { isEdited?: true };

type Revision = { draft: string; note: string };

/**
 * Where a reused result comes from, and when its step began and ended there (ms). `isEdited`: a person has edited it for this
 * execution.
 */
export type ReusedFrom = { executionId: string; stepId: string; begunAt: number; endedAt: number; isEdited?: true };

/** What is left out since the turn `from`, with which the step began to work on its answer. */
type StoredShortened = { from: number; left: LeftOut; parts: Shortened };

/**
 * The room of a step since the turn `from`, with which it began to work on its answer. `turns` and `calls`: what a person has added. `told`: after
 * which turns the model was told what is left, which stays in its prompts. `isTold`: there is nothing new to tell. `handsOn`: a person ends the step
 * with what it has said, or with `text`.
 */
export type StoredRoom = {
  from: number;
  turns: number;
  calls: number;
  told: { turn: number; turns: number; calls: number }[];
  isTold: boolean;
  handsOn?: true;
  text?: string;
};

export const executionSteps = pgTable(
  'execution_steps',
  {
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    orderIndex: integer('order_index').notNull(),
    name: text('name').notNull(),
    agentId: uuid('agent_id').notNull(),
    nodeId: text('node_id'),
    agentTitle: text('agent_title').notNull(),
    role: text('role').notNull(),
    systemPrompt: text('system_prompt').notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    status: text('status').$type<StepStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Of the attempt that has begun the step last. */
    leaseEpoch: integer('lease_epoch'),
    startedAt: moment('started_at'),
    completedAt: moment('completed_at'),
    durationMs: figure('duration_ms'),
    provider: text('provider'),
    model: text('model'),
    simulated: boolean('simulated').notNull().default(false),
    /** Of its answer with all turns; without an answer, of all its model calls. */
    usage: jsonb('usage').$type<TokenUsage>(),
    /** Of all its model calls, also failed ones and those of earlier drafts. */
    cost: jsonb('cost').$type<Cost>(),
    result: text('result'),
    error: jsonb('error').$type<Failure>(),
    refusedFiles: jsonb('refused_files').$type<RefusedFile[]>(),
    pipelineStepId: uuid('pipeline_step_id'),
    round: integer('round').notNull().default(0),
    item: integer('item').notNull().default(0),
    choice: text('choice'),
    /** Null for a step of an agent. */
    kind: text('kind').$type<'person'>(),
    handOff: jsonb('hand_off').$type<StoredHandOff>(),
    /** The agent works again: its draft, and the note of the person who asked for it. */
    revision: jsonb('revision').$type<Revision>(),
    /** The files that the agent was shown. */
    readFiles: jsonb('read_files').$type<ReadFileOfStep[]>(),
    /** Stored turns, and the first one of the answer that the step works on. */
    turns: integer('turns').notNull().default(0),
    turnsFrom: integer('turns_from').notNull().default(0),
    /** Counts the writes of turns and calls: a repeated write is recognised by it. */
    toolSeq: integer('tool_seq').notNull().default(0),
    toolUse: jsonb('tool_use').$type<ToolUse>(),
    testRun: jsonb('test_run').$type<StoredTestRun>(),
    /** What its prompts leave out to fit the model's window. */
    shortened: jsonb('shortened').$type<StoredShortened>(),
    /** Its turns and calls beyond the limits of its agent. */
    room: jsonb('room').$type<StoredRoom>(),
    /** What the result lacks. */
    marks: jsonb('marks').$type<StepMark[]>(),
    /** Of what the step was asked with, as `hashInput` returns it. */
    inputHash: text('input_hash'),
    reusedFrom: jsonb('reused_from').$type<ReusedFrom>(),
    /** Takes the place of the agent's model. */
    triedModel: jsonb('tried_model').$type<TriedModel>(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.stepId] })],
);

export const executionEvents = pgTable(
  'execution_events',
  {
    executionId: uuid('execution_id').notNull(),
    seq: integer('seq').notNull(),
    event: jsonb('event').$type<ExecutionEvent>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.seq] })],
);

export const executionContexts = pgTable(
  'execution_contexts',
  {
    executionId: uuid('execution_id').notNull(),
    position: integer('position').notNull(),
    type: text('type').notNull(),
    content: text('content').notNull(),
    source: text('source').notNull(),
    dialogNodeId: text('dialog_node_id'),
    dialogNodeTitle: text('dialog_node_title'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.position] })],
);

/** The parts of a question that are shown and do not change. */
type AskedQuestion = Pick<
  Question,
  | 'title'
  | 'waiting'
  | 'task'
  | 'text'
  | 'inputs'
  | 'buttons'
  | 'actions'
  | 'linkIds'
  | 'call'
  | 'budget'
  | 'room'
  | 'letter'
  | 'attempts'
  | 'usage'
  | 'simulated'
>;

export const questions = pgTable('questions', {
  id: uuid('id').primaryKey(),
  executionId: uuid('execution_id').notNull(),
  userId: uuid('user_id').$type<OwnerId>().notNull(),
  projectId: uuid('project_id').notNull(),
  pipelineId: uuid('pipeline_id').notNull(),
  stepId: uuid('step_id').notNull(),
  nodeId: text('node_id'),
  round: integer('round').notNull(),
  item: integer('item').notNull(),
  kind: text('kind').$type<Question['kind']>().notNull(),
  reason: text('reason').$type<Question['reason']>().notNull(),
  asked: jsonb('asked').$type<AskedQuestion>().notNull(),
  draft: text('draft'),
  state: text('state').$type<QuestionState>().notNull().default('open'),
  answer: jsonb('answer').$type<GivenAnswer>(),
  answeredBy: text('answered_by'),
  answeredAt: moment('answered_at'),
  openedAt: moment('opened_at').notNull(),
  dueAt: moment('due_at').notNull(),
  whenDue: jsonb('when_due').$type<WhenDue>().notNull(),
  tokenHash: text('token_hash'),
  tokenExpiresAt: moment('token_expires_at'),
  emailDueAt: moment('letter_due_at'),
  email: text('email'),
});

export const modelTurns = pgTable(
  'model_turns',
  {
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    turn: integer('turn').notNull(),
    text: text('text').notNull(),
    usage: jsonb('usage').$type<TokenUsage>(),
    /** The turn as its provider wants it back, encrypted. */
    opaque: text('opaque'),
    /** What the model wrote about the turns up to this one, which are then left out. */
    summary: text('summary'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.stepId, table.turn] })],
);

export const testRuns = pgTable(
  'test_runs',
  {
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    answer: jsonb('answer').$type<PendingAnswer>(),
    log: text('log').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.stepId] })],
);

export const toolCalls = pgTable(
  'tool_calls',
  {
    executionId: uuid('execution_id').notNull(),
    stepId: uuid('step_id').notNull(),
    turn: integer('turn').notNull(),
    callId: text('call_id').notNull(),
    position: integer('position').notNull(),
    tool: text('tool').notNull(),
    source: text('source').$type<ToolSource>(),
    effect: text('effect').$type<ToolEffect>().notNull(),
    args: text('args').notNull(),
    approved: boolean('approved').notNull().default(false),
    /** The key of the tool that was approved, or carried out. */
    toolKey: text('tool_key'),
    state: text('state').$type<ToolCallState>().notNull(),
    result: text('result'),
    images: jsonb('images').$type<ModelImage[]>(),
    ms: integer('ms'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.executionId, table.stepId, table.turn, table.callId] })],
);
