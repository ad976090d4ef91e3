import { z } from 'zod';
import { id, page, timestamp } from '../common.ts';

/** What a tool does: `read` changes nothing, `idempotent` may be repeated, `write` may not. */
export const toolEffects = ['read', 'idempotent', 'write'] as const;
export type ToolEffect = (typeof toolEffects)[number];

/** Where a tool's results come from: the run's own files, an address, a tool server, or tests that a runner executes. */
export const toolSources = ['files', 'fetch', 'server', 'tests'] as const;
export type ToolSource = (typeof toolSources)[number];

/**
 * - `pending`: not carried out yet. `running`: under way. `waiting`: a person is asked.
 * - `done`, `failed`: it has a result, or the reason for none. `refused`: not carried out.
 * - `unknown`: it was under way when the server stopped, and it is not known whether it was carried out.
 */
const toolCallStates = ['pending', 'running', 'waiting', 'done', 'failed', 'refused', 'unknown'] as const;
export type ToolCallState = (typeof toolCallStates)[number];

/** The longest arguments of a call (UTF-16 units). */
export const toolArgumentsMaxLength = 256 * 1024;

/** One call of a tool by an agent. In events `args` and `result` are cut. */
export const toolCall = z.object({
  stepId: id,
  /** The model's turn in its step, from 0. */
  turn: z.number().int().min(0),
  /** Unique in its turn. */
  callId: z.string(),
  tool: z.string(),
  /** Null for a tool that does not exist. */
  source: z.enum(toolSources).nullable(),
  effect: z.enum(toolEffects),
  /** JSON as the model wrote it, or as a person has edited it. */
  args: z.string(),
  state: z.enum(toolCallStates),
  /** The text that the model gets; null before the end. */
  result: z.string().nullable(),
  /** How long it was carried out. */
  ms: z.number().int().min(0).nullable(),
  createdAt: timestamp,
  endedAt: timestamp.nullable(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** Calls of all steps of a run, or of one. */
export const toolCallQuery = page.extend({ stepId: id.optional() });

/** What a step has done with tools so far, for its card. */
export const toolUse = z.object({
  calls: z.number().int().min(0),
  /** Files read and written. */
  read: z.number().int().min(0),
  written: z.number().int().min(0),
  /** The call that the step is at; null between calls. */
  current: z.object({ tool: z.string(), state: z.enum(toolCallStates) }).nullable(),
});
export type ToolUse = z.infer<typeof toolUse>;
