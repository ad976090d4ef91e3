import { z } from 'zod';
import { id, page, timestamp } from '../common.ts';

/** A thought of an agent: stored, listed newest first, and published on the bus. */
export const thought = z.object({
  id,
  agentId: id,
  projectId: id.nullable(),
  /** The execution and step that published it. */
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

/** The bus that carries thoughts, and the addresses to subscribe to. */
export const busStatus = bus.extend({
  /** The subject on which the caller's own messages travel. */
  subject: z.string(),
  /** Null where sockets are switched off. */
  webSocket: z.string().nullable(),
});
export type BusStatus = z.infer<typeof busStatus>;

/** The addresses to subscribe to, for a caller that does not accept events in the response. */
export const subscription = z.object({ subject: z.string(), webSocket: z.string().nullable(), events: z.string() });
export type Subscription = z.infer<typeof subscription>;

/** The outcome of a test message on the bus. It is not stored. */
export const thoughtTest = z.object({
  published: z.boolean(),
  /** Whether the bus delivered it back to the sender. */
  received: z.boolean(),
  roundTripMs: z.number().nullable(),
  subject: z.string(),
  bus,
});
export type ThoughtTest = z.infer<typeof thoughtTest>;
