import { z } from 'zod';
import { agent, apiConfiguration } from './agent.ts';
import { canvasDocument } from './canvas.ts';
import { markNameMaxLength, markNoteMaxLength } from './canvas-version.ts';
import { id, maxInteger, timestamp } from './common.ts';
import { installs } from './runner.ts';
import { maxCalls, maxTurns } from './step-room.ts';
import { toolPolicies } from './tool-server.ts';

const { providerType, model, temperature, maxTokens, effort, connectionId, fallback, mayGoWithoutTools, work, baseUrl, folderId } =
  apiConfiguration.shape;
const { name, title, role, description, status, contextAccessLevel } = agent.shape;

/** A tool that an agent may call, by the hash of its definition. */
const teamTool = z.object({ id, server: z.string(), name: z.string(), pinnedHash: z.string(), policy: z.enum(toolPolicies) });
export type TeamTool = z.infer<typeof teamTool>;

/** A connection as it was; its key is not in it. */
const teamConnection = z.object({ name: z.string(), provider: z.string(), address: z.string().nullable() });

/** An agent as it was. Its key is not in it: the connection that it uses has one, or the agent itself. */
const teamAgent = z.object({
  name,
  title,
  role,
  description,
  status,
  systemPrompt: z.string(),
  contextAccessLevel,
  providerType,
  model,
  temperature,
  maxTokens,
  effort,
  connectionId,
  /** Null for no connection, and for one of the operator. */
  connection: teamConnection.nullable(),
  fallback,
  fallbackConnection: teamConnection.nullable(),
  mayGoWithoutTools,
  work,
  baseUrl,
  folderId,
  /** The host that the agent had a key of its own for; absent in versions from before it was kept. */
  keyHost: z.string().nullable().optional(),
  tools: z.array(teamTool),
});
export type TeamAgent = z.infer<typeof teamAgent>;

/** By the ids of the agents. */
const teamAgents = z.record(z.string(), teamAgent);
export type TeamAgents = z.infer<typeof teamAgents>;

/** The settings that the agents of a project share. */
const teamSettings = z.object({
  parallelSteps: z.number().int().nullable(),
  holdHandOffs: z.boolean(),
  testCommand: z.string().nullable(),
  /** Null for what lock files or else manifests name; absent in versions from before it was kept. */
  installs: installs.nullable().optional(),
  fetchHosts: z.array(z.string()).nullable(),
  maxTurns: maxTurns.nullable(),
  maxCalls: maxCalls.nullable(),
});
export type TeamSettings = z.infer<typeof teamSettings>;

/** A version of a project's team in a list. */
export const teamVersionItem = z.object({
  id,
  /** Counts the versions of the project. */
  number: z.number().int().min(1),
  /** The version of the canvas that it was made from. */
  canvasVersion: z.number().int().min(0),
  /** Null for a version that a run has made. */
  name: z.string().nullable(),
  note: z.string(),
  author: z.object({ id, name: z.string() }).nullable(),
  at: timestamp,
  /** Runs that have it. */
  runs: z.number().int().min(0),
});
export type TeamVersionItem = z.infer<typeof teamVersionItem>;

export const teamVersion = teamVersionItem.extend({ document: canvasDocument, agents: teamAgents, settings: teamSettings });
export type TeamVersion = z.infer<typeof teamVersion>;

export const teamVersionPage = z.object({
  /** Newest first. */
  items: z.array(teamVersionItem),
  /** The `before` of the next page; null on the last one. */
  next: z.number().int().min(1).nullable(),
});
export type TeamVersionPage = z.infer<typeof teamVersionPage>;

export const teamVersionQuery = z.object({
  /** Only versions with a smaller number. */
  before: z.coerce.number().int().min(1).max(maxInteger).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  /** Only versions with a name. */
  named: z.enum(['true', 'false']).default('false'),
});

/** The number of a version, or its id. */
export const byTeamVersion = z.object({ version: z.union([z.coerce.number().int().min(1).max(maxInteger), id]) });
export type TeamVersionRef = z.output<typeof byTeamVersion>['version'];

export const teamVersionCreation = z.object({
  name: z.string().trim().min(1).max(markNameMaxLength),
  note: z.string().trim().max(markNoteMaxLength).default(''),
});

/** What of a version is gone or is another one by now: an agent, the key of its own, a connection that it uses, or a tool. */
const teamProblemCodes = ['agentGone', 'keyGone', 'connectionGone', 'connectionChanged', 'toolGone', 'toolChanged'] as const;
const teamProblem = z.object({
  code: z.enum(teamProblemCodes),
  agentId: id,
  /** The agent's title in the version. */
  agent: z.string(),
  /** The name of what is gone or changed. */
  name: z.string(),
});
export type TeamProblem = z.infer<typeof teamProblem>;

/** What a restoration changes. `made`: an agent that is gone is made again. The last seven are settings of the project. */
const teamChangeFields = [
  ...(['made', 'name', 'title', 'role', 'description', 'status', 'systemPrompt', 'contextAccessLevel'] as const),
  ...(['connectionId', 'providerType', 'model', 'fallback', 'temperature', 'maxTokens', 'effort', 'baseUrl', 'folderId'] as const),
  ...(['mayGoWithoutTools', 'fileAccess', 'runsTests', 'ownTurns', 'ownCalls', 'tool', 'policy'] as const),
  ...(['parallelSteps', 'holdHandOffs', 'testCommand', 'installs', 'fetchHosts', 'maxTurns', 'maxCalls'] as const),
] as const;
export type TeamChangeField = (typeof teamChangeFields)[number];

const changedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const teamChange = z.object({
  field: z.enum(teamChangeFields),
  /** Null for the project. */
  agentId: id.nullable(),
  /** The agent's title; empty for the project. */
  agent: z.string(),
  /** The tool of a change of tools; empty for others. */
  name: z.string(),
  /** Connections and models are here by their names. */
  now: changedValue,
  inVersion: changedValue,
});
export type TeamChange = z.infer<typeof teamChange>;

export const teamCheck = z.object({
  problems: z.array(teamProblem),
  /** What a restoration would change of agents and settings. What is gone or is another one is not among it. */
  changes: z.array(teamChange),
  /** Names these problems and changes: a restoration needs it. */
  seen: z.string(),
});
export type TeamCheck = z.infer<typeof teamCheck>;

/** `seen`: of the check that the person has seen. */
export const teamRestoration = z.object({ seen: z.string().max(100) });
export const teamRestored = z.object({
  changes: z.number().int().min(0),
  /** The version of the team as it was before, and what its restoration needs now. Null where no agent and no setting has changed. */
  before: z.object({ number: z.number().int().min(1), seen: z.string() }).nullable(),
});
export type TeamRestored = z.infer<typeof teamRestored>;
