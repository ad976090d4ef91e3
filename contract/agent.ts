import { z } from 'zod';
import { entity, id } from './common.ts';

export const providerTypes = ['openai', 'gigachat', 'yandexgpt', 'anthropic', 'simulated'] as const;
export const agentStatuses = { inactive: 0, active: 1, busy: 2 } as const;

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
  iconType: z.string().max(100).optional(),
  configuration: z
    .object({ systemPrompt: z.string().max(20_000), plan: z.string().max(20_000) })
    .partial()
    .optional(),
});

export const agentCreation = agentUpdate.required({ name: true, title: true, role: true });
