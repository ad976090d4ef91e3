import { z } from 'zod';
import { entity, id, largestInteger, page, timestamp, tokenUsage } from './common.ts';
import { failure } from './errors.ts';

export const executionStatuses = ['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export const stepStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled', 'skipped'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** One step of one execution: what the card, the console and the timeline show. */
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
  /** Markdown. */
  result: z.string().nullable(),
  error: failure.nullable(),
});
export type StepRun = z.infer<typeof stepRun>;

export const execution = entity.extend({
  pipelineId: id,
  projectId: id,
  status: z.enum(executionStatuses),
  /** True from a pause call until the step under way has finished. */
  pauseRequested: z.boolean(),
  initialTask: z.string(),
  dialogNodeId: z.string().nullable(),
  result: z.string().nullable(),
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
});
export type Execution = z.infer<typeof execution>;

export const executionDetails = execution.extend({ steps: z.array(stepRun) });
export type ExecutionDetails = z.infer<typeof executionDetails>;

export const executionEventTypes = [
  'execution.started',
  'execution.pausing',
  'execution.paused',
  'execution.resumed',
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
  'step.started',
  'step.retrying',
  'step.completed',
  'step.failed',
  'step.cancelled',
  'context.added',
] as const;

/** One line of an execution's log. `seq` grows by one; applying the events in order gives the execution's state. */
export const executionEvent = z.object({
  executionId: id,
  seq: z.number().int().min(1),
  at: timestamp,
  type: z.enum(executionEventTypes),
  status: z.enum(executionStatuses),
  pauseRequested: z.boolean(),
  progress: z.number(),
  /** The step as it is after the event, for `step.*`. */
  step: stepRun.nullable(),
  /** The result for `execution.completed`, the added text for `context.added`. */
  text: z.string().nullable(),
  error: failure.nullable(),
});
export type ExecutionEvent = z.infer<typeof executionEvent>;

export const executionStart = z.object({
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
    })
    .loose(),
  priority: z.number().int().min(0).max(10).default(5),
  timeoutSeconds: z.number().int().min(1).max(86_400).optional(),
  /** 1000 when the workspace starts the run (the pause between agents), 0 for other callers. */
  pauseBetweenStepsMs: z.number().int().min(0).max(60_000).default(0),
});
export type ExecutionStart = z.input<typeof executionStart>;

/** Text that reaches every later step of a run under way. */
export const userInputContext = z.object({
  type: z.string().max(100).default('user_input'),
  content: z.string().trim().min(1).max(100_000),
  source: z.string().max(100).default('dialog'),
  dialogNodeId: z.string().max(200).nullable().default(null),
  dialogNodeTitle: z.string().max(200).nullable().default(null),
  timestamp: timestamp.optional(),
  projectId: z.string().max(200).optional(),
  context: z.unknown().optional(),
});

export const executionQuery = page.extend({
  projectId: id.or(z.literal('default')).optional(),
  status: z.enum(executionStatuses).optional(),
});

/** `since`: only events after this number. */
export const logsQuery = z.object({
  since: z.coerce.number().int().min(0).max(largestInteger).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});
