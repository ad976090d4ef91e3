import { z } from 'zod';
import { agentUpdate } from './agent.ts';
import { id, maxInteger, timestamp } from './common.ts';

/** Who has changed a prompt: a person, an import, or a person who has taken a proposal. */
const changeCauses = ['person', 'import', 'proposal'] as const;
export type ChangeCause = (typeof changeCauses)[number];

/** A change of an agent. `cause`: who changes the prompt, for its history. */
export const agentEdit = agentUpdate.extend({ cause: z.enum(changeCauses).default('person') });

const about = z.object({
  /** Counts the changes of one agent. */
  number: z.number().int().min(1),
  cause: z.enum(changeCauses),
  /** Null for an account that is gone. */
  author: z.object({ id, name: z.string() }).nullable(),
  at: timestamp,
});

/** A change of an agent's prompt, with the whole texts. */
export const agentChange = about.extend({ before: z.string(), after: z.string() });
export type AgentChange = z.infer<typeof agentChange>;

export const agentChangePage = z.object({
  /** Newest first. */
  items: z.array(agentChange),
  /** The `before` of the next page; null on the last one. */
  next: z.number().int().min(1).nullable(),
});
export type AgentChangePage = z.infer<typeof agentChangePage>;

export const agentChangeQuery = z.object({
  /** Only changes with a smaller number. */
  before: z.coerce.number().int().min(1).max(maxInteger).optional(),
  limit: z.coerce.number().int().min(1).max(20).default(10),
});

/** A change of the prompt of an agent on a canvas, without its texts. */
export const promptChange = about.extend({
  agentId: id,
  /** The agent's title as it is now. */
  title: z.string(),
  /** The lengths of the texts (characters). */
  lengthBefore: z.number().int().min(0),
  lengthAfter: z.number().int().min(0),
});
export type PromptChange = z.infer<typeof promptChange>;
