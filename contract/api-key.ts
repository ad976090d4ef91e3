import { z } from 'zod';
import { keyBudget, shownKeyBudget } from './budget.ts';
import { id, timestamp } from './common.ts';
import { executionStatuses } from './executions/execution.ts';

/**
 * What a key may do. `read`: every record. `run`: start, steer and publish runs, with files and commands. `answer`: questions for people and hand-offs, never
 * those about tools, budgets and lost calls. `edit`: projects, canvases, agents and pipelines.
 */
export const keyScopes = ['read', 'run', 'answer', 'edit'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Keys that an account may have, revoked and expired ones not counted. */
export const maxApiKeys = 20;
export const keyNameMaxLength = 100;
/** The longest life of a key that expires (days). */
const maxKeyDays = 3_650;

const scopes = z.array(z.enum(keyScopes)).min(1).max(keyScopes.length);

/** `projectId`: the only project that the key reaches; null for all. `lastUsedFrom`: the address of the last call. */
export const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key, by which its owner knows it. */
  prefix: z.string(),
  scopes,
  projectId: id.nullable(),
  budget: shownKeyBudget.nullable(),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
  lastUsedFrom: z.string().nullable(),
  revokedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

/** A run that a key has started. `title`: its released team, or the beginning of its task. `from`: the address of the call. */
export const keyRun = z.object({
  runId: id,
  projectId: id,
  title: z.string(),
  status: z.enum(executionStatuses),
  from: z.string().nullable(),
  at: timestamp,
});
export type KeyRun = z.infer<typeof keyRun>;

export const apiKeyCreation = z.object({
  name: z.string().trim().min(1).max(keyNameMaxLength),
  scopes: scopes.transform((given) => keyScopes.filter((scope) => given.includes(scope))),
  projectId: id.or(z.literal('default')).nullable().default(null),
  /** What its runs and commands may use; null for no limit of its own. */
  budget: keyBudget.nullable().default(null),
  expiresInDays: z.number().int().min(1).max(maxKeyDays).nullable().default(null),
});
export type ApiKeyCreation = z.input<typeof apiKeyCreation>;

/** The whole key, which is shown only here: the server stores its hash. */
export const createdApiKey = apiKey.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
