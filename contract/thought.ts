import { z } from 'zod';
import { id, page, timestamp } from './common.ts';

/** What an agent thought: stored, listed newest first, and told on the bus. */
export const thought = z.object({
  id,
  agentId: id,
  projectId: id.nullable(),
  /** The step of a run in which it was thought. */
  executionId: id.nullable(),
  stepId: id.nullable(),
  content: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Thought = z.infer<typeof thought>;

export const thoughtPublication = z.object({
  agentId: id,
  content: z.string().trim().min(1).max(100_000),
  projectId: id.or(z.literal('default')).nullish(),
});

export const thoughtQuery = page.extend({ limit: z.coerce.number().int().min(1).max(200).default(50) });

const bus = z.object({ mode: z.enum(['embedded', 'nats']), connected: z.boolean() });

/** Which bus carries the thoughts, and where they can be heard. */
export const busStatus = bus.extend({
  /** The subject on which the caller's own messages travel. */
  subject: z.string(),
  /** Null where sockets are switched off. */
  webSocket: z.string().nullable(),
});
export type BusStatus = z.infer<typeof busStatus>;

/** Where to listen, for a caller who does not accept events in the answer itself. */
export const subscription = z.object({ subject: z.string(), webSocket: z.string().nullable(), events: z.string() });
export type Subscription = z.infer<typeof subscription>;

/** What became of a thought that was said to try the bus. It is not stored. */
export const thoughtTest = z.object({
  published: z.boolean(),
  /** Whether the bus brought it back to the server that had said it. */
  received: z.boolean(),
  roundTripMs: z.number().nullable(),
  subject: z.string(),
  bus,
});
export type ThoughtTest = z.infer<typeof thoughtTest>;
