import { z } from 'zod';
import { agent, apiConfiguration } from './agent.ts';
import { id } from './common.ts';
import { maxCalls, maxTurns } from './step-room.ts';
import { toolPolicies } from './tool-server.ts';

const { providerType, model, temperature, maxTokens, effort, connectionId, fallback, mayGoWithoutTools, work, baseUrl, folderId } =
  apiConfiguration.shape;
const { name, title, role, description, status, contextAccessLevel } = agent.shape;

/** A tool that an agent may call, by the hash of its definition. */
export const teamTool = z.object({ id, server: z.string(), name: z.string(), pinnedHash: z.string(), policy: z.enum(toolPolicies) });
export type TeamTool = z.infer<typeof teamTool>;

/** An agent as it was. Its key is not in it: the connection that it uses has one, or the agent itself. */
export const teamAgent = z.object({
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
  connectionName: z.string().nullable(),
  fallback,
  fallbackName: z.string().nullable(),
  mayGoWithoutTools,
  work,
  baseUrl,
  folderId,
  tools: z.array(teamTool),
});
export type TeamAgent = z.infer<typeof teamAgent>;

/** By the ids of the agents. */
export const teamAgents = z.record(z.string(), teamAgent);
export type TeamAgents = z.infer<typeof teamAgents>;

/** The settings that the agents of a project share. */
export const teamSettings = z.object({
  parallelSteps: z.number().int().nullable(),
  holdHandOffs: z.boolean(),
  testCommand: z.string().nullable(),
  fetchHosts: z.array(z.string()).nullable(),
  maxTurns: maxTurns.nullable(),
  maxCalls: maxCalls.nullable(),
});
export type TeamSettings = z.infer<typeof teamSettings>;
