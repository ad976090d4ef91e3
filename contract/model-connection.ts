import { z } from 'zod';
import { efforts, modelEnd, providerTypes } from './agent.ts';
import { entity, id, timestamp } from './common.ts';

/** The most connections of an account with its projects, models of a list, headers, and characters of further fields. */
export const connectionLimits = { connections: 50, models: 5_000, headers: 20, headerLength: 4_000, extraBodyLength: 10_000 } as const;

const rates = {
  input: z.number().int(),
  /** For input that was read from the provider's cache, and that was written to it; what input costs where they are absent. */
  cachedInput: z.number().int().optional(),
  cacheWrite: z.number().int().optional(),
  output: z.number().int(),
};

/**
 * What a model costs for a million tokens, in millionths of `currency`. `steps`: the rates of calls whose prompt is longer than `above` (tokens), in the
 * order of their lengths.
 */
const modelPrice = z.object({
  currency: z.string(),
  ...rates,
  steps: z.array(z.object({ above: z.number().int().min(1), ...rates })).optional(),
});

/** A model of a connection's list. What the server does not tell is absent. */
export const connectionModel = z.object({
  id: z.string(),
  /** The most tokens of a prompt with its answer. */
  context: z.number().int().min(1).optional(),
  tools: z.boolean().optional(),
  sees: z.boolean().optional(),
  /** Its temperature cannot be chosen. */
  isSamplingFixed: z.boolean().optional(),
  price: modelPrice.optional(),
  /** The day on which the provider ended the model, or will end it, and what it offers in its place. */
  ended: modelEnd.optional(),
});
export type ConnectionModel = z.infer<typeof connectionModel>;

/** Why a connection could not be tested, or its list of models not read. */
const connectionProblems = [
  'unauthorized',
  'not_found',
  'unreachable',
  'untrusted',
  'timeout',
  'host',
  'too_large',
  'protocol',
  'no_list',
  'quota',
  'region',
  'forbidden',
  'rate_limited',
  'refused',
  'key_unreadable',
  'key_missing',
  'folder_missing',
  'tools',
  'thought_only',
  'declined',
  'budget',
  'unverified',
] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];

/** A problem with its sentence in the caller's language. */
const connectionProblem = z.object({ reason: z.enum(connectionProblems), message: z.string() });

/** What one call with a tool has shown. Null: it could not be seen in this call. */
export const connectionTest = z.object({
  at: timestamp,
  model: z.string(),
  text: z.boolean().nullable(),
  streaming: z.boolean().nullable(),
  tools: z.boolean().nullable(),
  thinking: z.boolean().nullable(),
  cached: z.boolean().nullable(),
  hasPrice: z.boolean(),
  /** The time until the end of the answer (ms). */
  ms: z.number().int(),
  problem: connectionProblem.nullable(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;

/**
 * A server of models that was entered once, and that agents choose. Of a user, for all the user's projects; of a project, for its agents; or of
 * the operator's environment, which users cannot change. Keys and values of headers are never returned.
 */
export const modelConnection = entity.extend({
  owner: z.enum(['user', 'project', 'operator']),
  projectId: id.nullable(),
  name: z.string(),
  provider: z.enum(providerTypes).exclude(['simulated']),
  /** The provider's own when null. */
  address: z.string().nullable(),
  folderId: z.string().nullable(),
  hasKey: z.boolean(),
  keyLast4: z.string().nullable(),
  headerNames: z.array(z.string()),
  extraBody: z.record(z.string(), z.unknown()).nullable(),
  /** The model of new agents; null for the first of the list. */
  defaultModel: z.string().nullable(),
  /** How many models the list has; null before it was read. */
  modelCount: z.number().int().nullable(),
  modelsAt: timestamp.nullable(),
  /** Why the list could not be read the last time, in the caller's language. */
  modelsProblem: connectionProblem.nullable(),
  tested: connectionTest.nullable(),
  /** Agents of the user that use it. */
  agents: z.number().int().min(0),
});
export type ModelConnection = z.infer<typeof modelConnection>;

/** A header of each call. The server refuses names that calls have themselves, and values with line breaks, by name. */
const header = z.object({
  name: z.string().min(1).max(64),
  /** Null keeps the stored value of this name. */
  value: z.string().min(1).max(connectionLimits.headerLength).nullable(),
});

/** A field that is left out keeps its value. A new host drops the key and the headers that were saved for the old one. */
export const connectionUpdate = z.object({
  name: z.string().trim().min(1).max(60).optional(),
  /** The address as it was pasted: with or without a version, an endpoint, or a query. */
  address: z.string().trim().min(1).max(2_000).nullable().optional(),
  folderId: z
    .string()
    .trim()
    .regex(/^[\w-]{1,100}$/)
    .nullable()
    .optional(),
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .regex(/^[!-~]+$/)
    .nullable()
    .optional(),
  headers: z.array(header).max(connectionLimits.headers).optional(),
  extraBody: z.record(z.string(), z.unknown()).nullable().optional(),
  defaultModel: z.string().trim().min(1).max(200).nullable().optional(),
});
export type ConnectionUpdate = z.infer<typeof connectionUpdate>;

export const connectionCreation = connectionUpdate.extend({
  provider: modelConnection.shape.provider,
  /** Of this project; of the user when absent. */
  projectId: id.optional(),
});
export type ConnectionCreation = z.infer<typeof connectionCreation>;

export const connectionQuery = z.object({ projectId: id.optional() });

/** A connection that agents use is removed only with `evenIfUsed`. These agents then have none. */
export const connectionRemoval = z.object({ evenIfUsed: z.enum(['true', 'false']).default('false') });

/** The offered models of each provider with what is known of them, for agents without a connection. */
export const knownModels = z.array(z.object({ provider: modelConnection.shape.provider, models: z.array(connectionModel) }));
export type KnownModels = z.infer<typeof knownModels>;

/** The list of models, and when it was read. `query`: names that hold this text. */
export const modelQuery = z.object({ query: z.string().trim().max(200).optional() });
export const connectionModels = z.object({
  items: z.array(connectionModel),
  /** Of the names that hold the text. */
  total: z.number().int(),
  /** Models that the server lists beyond the most that are kept. */
  leftOut: z.number().int().min(0),
  at: timestamp.nullable(),
  /** Why the list could not be read the last time. The items are those that were read before. */
  problem: connectionProblem.nullable(),
});
export type ConnectionModels = z.infer<typeof connectionModels>;

export const connectionTestRequest = z.object({ model: z.string().trim().min(1).max(200).optional(), effort: z.enum(efforts).optional() });

/** A server of models that runs on this machine. */
export const localServer = z.object({ provider: z.enum(['ollama', 'lmstudio']), address: z.string(), models: z.number().int().min(0) });
export type LocalServer = z.infer<typeof localServer>;

/** Has agents use a connection and one of its models. With `isPreview` nothing changes. */
export const connectionUse = z.object({
  agentIds: z.array(id).min(1).max(1_000),
  model: z.string().trim().min(1).max(200),
  isPreview: z.boolean().default(false),
});

/** Each agent with what it uses before and after; one that changes nothing is left out. */
export const connectionUsed = z.object({
  agents: z.array(z.object({ agentId: id, title: z.string(), before: z.string(), after: z.string() })),
});
export type ConnectionUsed = z.infer<typeof connectionUsed>;
