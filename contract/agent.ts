import { z } from 'zod';
import { agentStatuses } from './agent-statuses.ts';
import { entity, id, page, timestamp, wordOrPlace } from './common.ts';
import { maxCalls, maxTurns } from './step-room.ts';

/**
 * Whose models an agent or a connection calls. `azure` to `compatible` speak OpenAI's chat completions, each at an address and with a header of its
 * own; `compatible` is any other server that does.
 */
export const providerTypes = [
  'openai',
  'gigachat',
  'yandexgpt',
  'anthropic',
  'google',
  'azure',
  'openrouter',
  'deepseek',
  'mistral',
  'xai',
  'ollama',
  'lmstudio',
  'compatible',
  'simulated',
] as const;
export type ProviderType = (typeof providerTypes)[number];

/** How much a thinking model thinks before it answers. */
export const efforts = ['none', 'low', 'medium', 'high'] as const;
export type Effort = (typeof efforts)[number];

const statusByName = wordOrPlace(['inactive', 'active', 'busy']).transform((name) => agentStatuses[name]);

/**
 * The context that an agent gets in a run in addition to its task and prompt. Each level includes the lower ones: nothing; texts that
 * users add during the run; the result of the previous agent; the results of all earlier agents.
 */
export const contextAccessLevels = { task: 0, additions: 1, lastResult: 2, everything: 3 } as const;
const contextAccessLevel = z.literal([0, 1, 2, 3]);

/**
 * The models of each provider, its default first, by the name that users choose and the id of the provider. Those that are served come before those
 * of the specification that have ended: these stay valid, and `ended-models.jsonl` says since when. The Claude 3 models are no longer served: each name
 * stands for the current model of its family, and a step stores the id that answered. Any other name is sent as it is. Checked against the public pages,
 * or copies of them, on 2026-11-30: the tables of model lists name the page and the day of each. W9.04
 */
export const providerModels: Record<ProviderType, readonly [ProviderModel, ...ProviderModel[]]> = {
  openai: [
    { name: 'gpt-6.1-terra', id: 'gpt-6.1-terra' },
    { name: 'gpt-6.1-sol', id: 'gpt-6.1-sol' },
    { name: 'gpt-6-luna', id: 'gpt-6-luna' },
    { name: 'gpt-4', id: 'gpt-4' },
    { name: 'gpt-4-turbo', id: 'gpt-4-turbo' },
    { name: 'gpt-3.5-turbo', id: 'gpt-3.5-turbo' },
  ],
  anthropic: [
    { name: 'claude-sonnet-5-5', id: 'claude-sonnet-5-5' },
    { name: 'claude-opus-5-5', id: 'claude-opus-5-5' },
    { name: 'claude-haiku-5-5', id: 'claude-haiku-5-5' },
    { name: 'claude-3-sonnet', id: 'claude-sonnet-4-6' },
    { name: 'claude-3-opus', id: 'claude-opus-4-8' },
    { name: 'claude-3-haiku', id: 'claude-haiku-4-5' },
  ],
  gigachat: [
    { name: 'GigaChat-2', id: 'GigaChat-2' },
    { name: 'GigaChat-2-Pro', id: 'GigaChat-2-Pro' },
    { name: 'GigaChat-2-Max', id: 'GigaChat-2-Max' },
  ],
  yandexgpt: [
    { name: 'yandexgpt-lite', id: 'yandexgpt-lite' },
    { name: 'yandexgpt', id: 'yandexgpt' },
  ],
  google: [
    { name: 'gemini-3.8-flash', id: 'gemini-3.8-flash' },
    { name: 'gemini-4-argon', id: 'gemini-4-argon' },
    { name: 'gemini-3.5-flash-lite', id: 'gemini-3.5-flash-lite' },
  ],
  azure: [{ name: 'gpt-6.1-terra', id: 'gpt-6.1-terra' }],
  openrouter: [{ name: 'openrouter/auto', id: 'openrouter/auto' }],
  deepseek: [
    { name: 'deepseek-flash', id: 'deepseek-flash' },
    { name: 'deepseek-chat', id: 'deepseek-chat' },
    { name: 'deepseek-reasoner', id: 'deepseek-reasoner' },
  ],
  mistral: [
    { name: 'mistral-large-latest', id: 'mistral-large-latest' },
    { name: 'mistral-medium-latest', id: 'mistral-medium-latest' },
  ],
  xai: [
    { name: 'grok-4.7', id: 'grok-4.7' },
    { name: 'grok-4.3', id: 'grok-4.3' },
    { name: 'grok-4', id: 'grok-4' },
  ],
  ollama: [{ name: 'qwen3', id: 'qwen3' }],
  lmstudio: [{ name: 'qwen3', id: 'qwen3' }],
  compatible: [{ name: 'default', id: 'default' }],
  simulated: [{ name: 'simulated', id: 'simulated' }],
};
type ProviderModel = Readonly<{ name: string; id: string }>;

/** What an agent may do with the files of a run: nothing, read them, or change them. */
export const fileAccesses = ['none', 'read', 'write'] as const;

/** What an agent may do in a step, and for how long. */
export const agentWork = z.object({
  fileAccess: z.enum(fileAccesses).default('write'),
  /** Whether it may have the project's test command executed. */
  runsTests: z.boolean().default(false),
  /** Null: those of the project, or else the usual ones. */
  maxTurns: maxTurns.nullable().default(null),
  maxCalls: maxCalls.nullable().default(null),
});
export type AgentWork = z.infer<typeof agentWork>;

export const usualWork: AgentWork = { fileAccess: 'write', runsTests: false, maxTurns: null, maxCalls: null };

/** The specification's: of new agents where no server of models answers, and calls are simulated. */
export const modelDefaults = { providerType: 'openai', model: 'gpt-4', temperature: 0.7, maxTokens: 4_000 } as const;

/** The settings of an agent that has no server, key or limit of its own. */
export const withoutServer = {
  baseUrl: null,
  folderId: null,
  effort: null,
  connectionId: null,
  fallback: null,
  mayGoWithoutTools: false,
  work: usualWork,
  hasKey: false,
  keyLast4: null,
} as const;

/** The lengths of an answer that can be set (tokens). */
export const maxTokensRange = { min: 100, max: 128_000 } as const;

const settings = {
  providerType: z.enum(providerTypes),
  model: z.string().trim().min(1).max(200),
  /** Null: nothing is sent, and the model's own default applies. */
  temperature: z.number().min(0).max(2).nullable(),
  /** The longest answer (tokens). Null: nothing is sent where the protocol allows it. A model that writes less is asked for what it takes. */
  maxTokens: z.number().int().min(maxTokensRange.min).max(maxTokensRange.max).nullable(),
  effort: z.enum(efforts).nullable(),
  /** The connection whose address and key the agent uses in place of its own. */
  connectionId: id.nullable(),
  /** The model that is asked where the agent's own fails: after a spent limit, an error of the server, or a time-out. */
  fallback: z.object({ connectionId: id, model: z.string().trim().min(1).max(200) }).nullable(),
  /** Whether the agent may work without its tools where the model refuses them. */
  mayGoWithoutTools: z.boolean(),
  /** The address of an API with the provider's protocol; the provider's own when empty. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable(),
  /** The Yandex Cloud folder whose models are called; other providers have none. */
  folderId: z
    .string()
    .trim()
    .regex(/^[\w-]{1,100}$/)
    .nullable(),
};

/** The day (UTC) from which a provider does not serve a model, and the model that it names in its place. */
export const modelEnd = z.object({ on: z.string(), instead: z.string().optional() });

/** The key itself never leaves the server. */
export const apiConfiguration = z.object({
  ...settings,
  effort: settings.effort.default(null),
  connectionId: settings.connectionId.default(null),
  fallback: settings.fallback.default(null),
  mayGoWithoutTools: settings.mayGoWithoutTools.default(false),
  work: agentWork.default(usualWork),
  /** Whether calls would be simulated now: the agent has no key and no connection, and the server lends none. Absent for no. */
  willSimulate: z.boolean().optional(),
  /** The day on which the provider has ended the model, or will, and what it names in its place. Absent for others, and where calls are simulated. */
  ended: modelEnd.optional(),
  hasKey: z.boolean(),
  keyLast4: z.string().nullable(),
});
export type ApiConfiguration = z.infer<typeof apiConfiguration>;

/**
 * `apiKey`: a string sets it, null removes it, absent keeps it (but a new host drops the key saved for the old one).
 * A new provider without a model gets its default model.
 */
export const apiConfigurationUpdate = z.object({
  providerType: settings.providerType.optional(),
  model: settings.model.optional(),
  temperature: settings.temperature.optional(),
  maxTokens: settings.maxTokens.optional(),
  effort: settings.effort.optional(),
  connectionId: settings.connectionId.optional(),
  fallback: settings.fallback.optional(),
  mayGoWithoutTools: settings.mayGoWithoutTools.optional(),
  work: agentWork.optional(),
  baseUrl: settings.baseUrl.optional(),
  folderId: settings.folderId.optional(),
  /** Sent in a header: visible ASCII only, so that a wrong paste is refused when it is saved. */
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

/** The most agents that one call makes or removes. */
export const maxAgentsAtOnce = 1_000;

/** A copy has the words, the prompt and the model settings of an agent of the account, and no key. */
export const agentCopy = z.object({ copyOf: id, title: z.string().trim().min(1).max(200) });

/** Several agents that are made by one call, all or none. */
export const agentsCreation = z.object({
  agents: z
    .array(z.union([agentCopy, agentCreation]))
    .min(1)
    .max(maxAgentsAtOnce),
});
/** What was made, in the given order. The agents themselves may be far larger than what was sent: prompts are copied. */
export const agentsMade = z.array(z.object({ id, title: z.string(), createdAt: timestamp }));
export type AgentsMade = z.output<typeof agentsMade>;
export type NewAgents = z.input<typeof agentsCreation>['agents'];

/** Agents that may go unless they are used. `projectId`: a project whose canvas does not count, since its cards are just being removed. */
export const unusedAgents = z.object({ agentIds: z.array(id).min(1).max(maxAgentsAtOnce), projectId: id });
export const agentsRemoved = z.object({ removed: z.array(id) });

export const agentStatusChange = z.object({ status: statusByName });

export const byAgentStatus = z.object({ status: statusByName });
export const byRole = z.object({ role: z.string().trim().min(1).max(100) });
export const bySpecialization = z.object({ specialization: z.string().trim().min(1).max(200) });
export const byContextAccess = page.extend({ minAccessLevel: z.coerce.number().int().min(0).max(3).default(1) });

/** The model settings of the agent in the body; a field that is left out keeps its value. */
export const apiConfigurationCreation = apiConfigurationUpdate.extend({ agentId: id });

/** The model of several agents, and the connection that serves it; null for the provider and the key of each. */
export const agentModels = z.object({
  agentIds: z.array(id).min(1).max(1_000),
  connectionId: settings.connectionId,
  model: settings.model,
});
export type AgentModels = z.infer<typeof agentModels>;

/** The agents that change, each with what it had before. */
export const agentModelsSet = z.object({
  agents: z.array(z.object({ agentId: id, connectionId: id.nullable(), model: z.string() })),
});
export type AgentModelsSet = z.infer<typeof agentModelsSet>;

/** Totals of an agent's steps and commands. Times in ms; null without data. */
export const agentStatistics = z.object({
  totalCommands: z.number().int().min(0),
  successfulCommands: z.number().int().min(0),
  failedCommands: z.number().int().min(0),
  /** Mean of the successful ones. */
  averageExecutionTime: z.number().min(0).nullable(),
  lastActivity: timestamp.nullable(),
});
export type AgentStatistics = z.infer<typeof agentStatistics>;

/** Models of each provider that cannot call tools, by their ids or the beginnings of them. All others can, as far as is known. */
const withoutTools: Partial<Record<ProviderType, RegExp>> = {
  openai: /^(?:o1-(?:mini|preview)|chatgpt-4o-latest|gpt-3\.5-turbo-instruct|gpt-4(?:-turbo)?-0314|davinci|babbage)/,
  anthropic: /^claude-(?:2|instant)/,
  gigachat: /^Embeddings/,
  yandexgpt: /(?:^|\/)(?:yandexgpt-lite\/deprecated|summarization|llama-lite)(?:\/|$)/,
};

/** Models that are known to see images, by their names, at OpenAI and at servers that speak its protocol. */
const seeing =
  /^(?:gpt-4-turbo(?!-preview)|gpt-4o(?!-(?:audio|mini-audio|realtime|mini-realtime|transcribe|mini-transcribe|search))|gpt-4\.[1-9]|gpt-[5-9]|o1(?!-(?:mini|preview))|o3(?!-mini)|o[4-9]|chatgpt-4o)|vision|(?:^|[/:-])(?:llava|pixtral)|-vl\b|^gemma-?3|^gemini|^claude-(?!2|instant)/i;

/** Models of each provider that are known to see images. */
const withSight: Partial<Record<ProviderType, RegExp>> = {
  openai: seeing,
  anthropic: /^claude-(?!2|instant)/,
  google: /^gemini/,
  azure: seeing,
  openrouter: /(?:^|\/)(?:gpt-4o|gpt-[5-9]|claude|gemini|grok-4|pixtral)/,
  mistral: /^(?:pixtral|mistral-(?:medium|large)-latest)/,
  xai: /^grok-4/,
  ollama: seeing,
  lmstudio: seeing,
  compatible: seeing,
};

/** Whether a model of a provider sees images; false where it is not known. */
export function modelSees(provider: ProviderType, model: string): boolean {
  const id = providerModels[provider].find(({ name }) => name === model)?.id ?? model;
  return withSight[provider]?.test(id) ?? false;
}

/** Whether a model of a provider calls tools. Of a server at an address of its own only a call can tell; it counts as one that does. */
export function modelCallsTools(provider: ProviderType, model: string): boolean {
  const id = providerModels[provider].find(({ name }) => name === model)?.id ?? model;
  return !(withoutTools[provider]?.test(id) ?? false);
}
