import { z } from 'zod';
import { commandStatuses } from './command.ts';
import { id } from './common.ts';
import { failure } from './errors.ts';
import { executionStatuses, stepRun } from './executions/execution.ts';
import { executionEvent } from './executions/execution-event.ts';

/** Messages of the server on `/api/natsws`. */
export const serverMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), userId: id }),
  /**
   * `partial: true` is streamed text, never stored, at most ten a second for each step or command: `content` is the added text, and
   * `position` its place in the whole text. Position 0 restarts the text. If `position` is not the end of the known text, a message was
   * missed.
   */
  z.object({
    type: z.literal('agent_thought'),
    agentId: id,
    content: z.string(),
    partial: z.boolean(),
    /** With `partial` only: UTF-16 units before `content`. */
    position: z.number().int().min(0).optional(),
    /** With `partial` only: the simulated provider writes the text. */
    simulated: z.literal(true).optional(),
    projectId: id.nullable(),
    executionId: id.nullable(),
    stepId: id.nullable(),
    /** The stored thought's id; absent while it is partial. */
    thoughtId: id.optional(),
    /** The command that streams this text; absent in a run. */
    commandId: id.optional(),
  }),
  /**
   * The log of a test command that is under way, streamed in the same way as a text, up to its first 1,048,576 characters.
   */
  z.object({
    type: z.literal('test_log'),
    content: z.string(),
    position: z.number().int().min(0),
    projectId: id,
    executionId: id,
    stepId: id,
  }),
  z.object({
    type: z.literal('agent_command_result'),
    agentId: id,
    /** The agent's answer, or the reason for its absence. */
    result: z.string(),
    projectId: id.nullable(),
    executionId: id.nullable(),
    /** The command that has ended, and its status; absent for a step of a run. */
    commandId: id.optional(),
    status: z.enum(commandStatuses).optional(),
  }),
  z.object({
    type: z.literal('pipeline_update'),
    status: z.enum(executionStatuses),
    projectId: id,
    pipelineId: id,
    executionId: id,
    seq: z.number().int(),
    event: executionEvent,
  }),
  z.object({
    type: z.literal('canvas_updated'),
    projectId: id,
    version: z.number().int(),
    /** the writing tab's `X-Client-Id` */ origin: z.string().nullable(),
  }),
  /** A project was created, changed in name, description or status, or removed with its data. */
  z.object({
    type: z.literal('project_changed'),
    projectId: id,
    change: z.enum(['made', 'updated', 'removed']),
    /** The writing tab's `X-Client-Id`. */
    origin: z.string().nullable(),
  }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/** Executions for which one message may name the last event. */
const maxSinceEntries = 1_000;

/** The last event that a client has, by execution. */
export const since = z
  .record(z.string().toLowerCase(), z.number().int().min(0))
  .refine((map) => Object.keys(map).length <= maxSinceEntries, { params: { rule: 'small' } });

/**
 * Messages of a client: a new access token, the last event that it has of each execution, or a request for the whole of all
 * streaming texts.
 */
export const clientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('token'), accessToken: z.string().max(4_096) }),
  z.object({ type: z.literal('since'), since }),
  z.object({ type: z.literal('texts') }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

/** A message of the server over `/api/pipelinews/{pipelineId}`, once for each event of an execution of that pipeline. */
export const executionUpdate = z.object({
  type: z.literal('execution_update'),
  pipelineId: id,
  executionId: id,
  seq: z.number().int(),
  status: z.enum(executionStatuses),
  progress: z.number(),
  /** The step of a `step.*` event. */
  step: stepRun.nullable(),
  /** The execution's result once it has one. */
  result: z.string().nullable(),
  error: failure.nullable(),
});
export type ExecutionUpdate = z.infer<typeof executionUpdate>;
