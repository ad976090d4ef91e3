import { z } from 'zod';
import { id, timestamp } from '../common.ts';
import { failure } from '../errors.ts';
import { executionStatuses, stepRun, stepStatuses } from './execution.ts';
import { question, runHolds } from './question.ts';
import { toolCall } from './tool-call.ts';

const executionEventTypes = [
  'execution.started',
  'execution.pausing',
  'execution.paused',
  'execution.resumed',
  'execution.completed',
  'execution.failed',
  'execution.cancelled',
  'step.started',
  'step.retrying',
  /** A limit of the model cut the answer off, or the model paused: it goes on. */
  'step.continued',
  'step.completed',
  'step.failed',
  'step.cancelled',
  /** What a cancelled step has cost is known: `step`. It may follow the end of the run. */
  'step.charged',
  /** A review loop begins another round, or a group its list: `changedSteps` are the runs of its steps. */
  'step.round',
  'step.items',
  /** Steps that no taken link leads to: `changedSteps`. */
  'step.skipped',
  'context.added',
  /** A fork begins: `changedSteps` are the runs of steps that it keeps from its original. */
  'step.reused',
  /** An agent calls a tool, or its call is begun, or a person is asked about it: `call`. */
  'tool.called',
  'tool.ended',
  /** The provider refuses tools: the model answers without them. */
  'tools.refused',
  /** Parts of a step's prompt are left out to fit the model's window: `shortened` of `step`. */
  'prompt.shortened',
  /** The tests of a step wait for the runner, which works for others. */
  'test.waiting',
  /** A runner executes the project's tests for the step of a tester. */
  'test.started',
  /** A step of a person waits for its answer. */
  'step.waiting',
  /** A run asks a person: `question`. */
  'question.opened',
  'question.answered',
  'question.expired',
  /** The answer is not needed any more: `step` is the step that asked. */
  'question.withdrawn',
  /** The links that hold in this run were changed: `holds`. */
  'holds.changed',
] as const;

/**
 * A run of a step that came to be or was skipped. One that came to be has the values of the step of the pipeline, and has not begun: another
 * round, or another item.
 */
const changedStep = z.object({
  stepId: id,
  pipelineStepId: id,
  round: z.number().int().min(0),
  item: z.number().int().min(0),
  status: z.enum(stepStatuses),
});
export type ChangedStep = z.infer<typeof changedStep>;

/** One line of an execution's log. `seq` grows by one; applying the events in order gives the execution's state. */
export const executionEvent = z.object({
  executionId: id,
  seq: z.number().int().min(1),
  at: timestamp,
  type: z.enum(executionEventTypes),
  status: z.enum(executionStatuses),
  pauseRequested: z.boolean(),
  progress: z.number(),
  /** The step after the event, for `step.*`, and for `execution.resumed` when a failed execution is retried from it. */
  step: stepRun.nullable(),
  /** The result for `execution.completed`, the added text for `context.added`. */
  text: z.string().nullable(),
  error: failure.nullable(),
  /** Of `step.round`, `step.items`, `step.skipped` and `step.reused`. */
  changedSteps: z.array(changedStep).optional(),
  /** Of `question.*`. */
  question: question.optional(),
  /** Of `tool.*`. */
  call: toolCall.optional(),
  /** Of `holds.changed`. */
  holds: runHolds.optional(),
  /** Of `execution.completed`: a budget has ended the run. */
  limited: z.literal(true).optional(),
});
export type ExecutionEvent = z.infer<typeof executionEvent>;
