import { z } from 'zod';
import { entity, id, page, timestamp, wordOrPlace } from './common.ts';

export const providerTypes = ['openai', 'gigachat', 'yandexgpt', 'anthropic', 'simulated'] as const;

/**
 * What its owner has set. An inactive agent is not offered for a canvas, a busy one is; to neither is anything delegated.
 * The server never changes it: whether an agent is at work at this moment is asked of its work.
 */
export const agentStatuses = { inactive: 0, active: 1, busy: 2 } as const;
const statusByName = wordOrPlace(['inactive', 'active', 'busy']).transform((name) => agentStatuses[name]);

/**
 * What an agent is told in a run beside its task and its own prompt. Each level has all of the one below it: nothing; what
 * people add while the run is under way; the result of the agent just before it; the results of all agents before it.
 */
export const contextAccessLevels = { task: 0, additions: 1, lastResult: 2, everything: 3 } as const;
const contextAccessLevel = z.literal([0, 1, 2, 3]);

export const modelDefaults = { providerType: 'openai', model: 'gpt-4', temperature: 0.7, maxTokens: 4_000 } as const;

const settings = {
  providerType: z.enum(providerTypes),
  model: z.string().trim().min(1).max(200),
  temperature: z.number().min(0).max(2),
  maxTokens: z.number().int().min(100).max(8_000),
  /** An OpenAI-compatible base URL; the provider's own when empty. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable(),
};

/** The key itself never leaves the server. */
export const apiConfiguration = z.object({
  ...settings,
  hasKey: z.boolean(),
  keyLast4: z.string().nullable(),
});
export type ApiConfiguration = z.infer<typeof apiConfiguration>;

/** `apiKey`: a string sets it, null removes it, absent keeps it (but a new host drops the key saved for the old one). */
export const apiConfigurationUpdate = z.object({
  providerType: settings.providerType.optional(),
  model: settings.model.optional(),
  temperature: settings.temperature.optional(),
  maxTokens: settings.maxTokens.optional(),
  baseUrl: settings.baseUrl.optional(),
  /** It travels in a header: visible ASCII only, so that a wrong paste is noticed when it is saved. */
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .regex(/^[!-~]+$/)
    .nullable()
    .optional(),
});

export const agent = entity.extend({
  /** The menu key: prod-mgr, proj-mgr, team-lead, developer, qa, analyst, assistant. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  role: z.string(),
  status: z.literal([0, 1, 2]),
  contextAccessLevel,
  specialization: z.string(),
  skills: z.array(z.string()),
  priority: z.number().int().min(0).max(10),
  iconType: z.string(),
  configuration: z.object({ systemPrompt: z.string(), plan: z.string() }),
  apiConfiguration,
  userId: id,
});
export type Agent = z.infer<typeof agent>;

export const agentUpdate = z.object({
  name: z.string().trim().min(1).max(120).optional(),
  title: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(4_000).optional(),
  role: z.string().trim().min(1).max(100).optional(),
  specialization: z.string().max(200).optional(),
  skills: z.array(z.string().max(100)).max(50).optional(),
  priority: z.number().int().min(0).max(10).optional(),
  contextAccessLevel: contextAccessLevel.optional(),
  iconType: z.string().max(100).optional(),
  configuration: z
    .object({ systemPrompt: z.string().max(20_000), plan: z.string().max(20_000) })
    .partial()
    .optional(),
});

export const agentCreation = agentUpdate.required({ name: true, title: true, role: true });

export const agentStatusChange = z.object({ status: statusByName });

export const byAgentStatus = z.object({ status: statusByName });
export const byRole = z.object({ role: z.string().trim().min(1).max(100) });
export const bySpecialization = z.object({ specialization: z.string().trim().min(1).max(200) });
export const byContextAccess = page.extend({ minAccessLevel: z.coerce.number().int().min(0).max(3).default(1) });

/** The configuration of the agent that the body names; what is left out stays as it is. */
export const apiConfigurationCreation = apiConfigurationUpdate.extend({ agentId: id });

/** What an agent has been given to do, in runs and by commands. Times in ms; null where there is nothing to tell. */
export const agentStatistics = z.object({
  totalCommands: z.number().int().min(0),
  successfulCommands: z.number().int().min(0),
  failedCommands: z.number().int().min(0),
  /** Mean of the successful ones. */
  averageExecutionTime: z.number().min(0).nullable(),
  lastActivity: timestamp.nullable(),
});
export type AgentStatistics = z.infer<typeof agentStatistics>;
