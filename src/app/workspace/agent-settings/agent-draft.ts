import { z } from 'zod';
import {
  type Agent,
  type AgentWork,
  type ApiConfiguration,
  type Effort,
  maxTokensRange as lengths,
  providerModels,
  usualWork,
} from '../../../../contract/agent.ts';
import { maxCalls, maxTurns } from '../../../../contract/step-room.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';
import type { ZodForm } from '../../../ui/form/use-zod-form.ts';
import { parseNumber } from './parse-number.ts';

export const temperatureRange = { min: 0, max: 2, step: 0.1 } as const;
export const maxTokensRange = { ...lengths, step: 100 } as const;

/** The values of the settings form; `apiKey` is what the user typed, never the stored one. */
export type AgentDraft = {
  systemPrompt: string;
  /** The connection that answers; null for the agent's own provider, address and key. */
  connectionId: string | null;
  providerType: ApiConfiguration['providerType'];
  model: string;
  /** Null: the model's default. NaN: what was typed is no number. */
  temperature: number | null;
  maxTokens: number | null;
  effort: Effort | null;
  mayGoWithoutTools: boolean;
  /** The connection that is asked where the agent's own fails; null for none. */
  fallbackId: string | null;
  fallbackModel: string;
  baseUrl: string;
  folderId: string;
  apiKey: string;
  removeKey: boolean;
  fileAccess: AgentWork['fileAccess'];
  runsTests: boolean;
  /** As they are typed; empty for those of the project. */
  maxTurns: string;
  maxCalls: string;
};

export function draftOf(agent: Agent): AgentDraft {
  const { providerType, model, temperature, maxTokens, effort, mayGoWithoutTools, connectionId, fallback, baseUrl, folderId } =
    agent.apiConfiguration;
  const work = agent.apiConfiguration.work ?? usualWork;
  return {
    systemPrompt: agent.configuration.systemPrompt,
    connectionId: connectionId ?? null,
    providerType,
    model,
    temperature,
    maxTokens,
    effort: effort ?? null,
    mayGoWithoutTools: mayGoWithoutTools ?? false,
    fallbackId: fallback?.connectionId ?? null,
    fallbackModel: fallback?.model ?? '',
    baseUrl: baseUrl ?? '',
    folderId: folderId ?? '',
    apiKey: '',
    removeKey: false,
    fileAccess: work.fileAccess,
    runsTests: work.runsTests,
    maxTurns: work.maxTurns?.toString() ?? '',
    maxCalls: work.maxCalls?.toString() ?? '',
  };
}

/** The suggested models; any other name may be typed. W9.04 */
export function modelNames(providerType: AgentDraft['providerType']): string[] {
  return providerModels[providerType].map(({ name }) => name);
}

/** Changes the provider. A model of the old one's list becomes the new one's first; a name of the user's own stays. */
export function withProvider({ model, providerType: before }: AgentDraft, providerType: AgentDraft['providerType']): Partial<AgentDraft> {
  const [first = model] = modelNames(providerType);
  return modelNames(before).includes(model.trim()) ? { providerType, model: first } : { providerType };
}

/** Chooses a connection with its default model, where it has one; null for the agent's own fields. */
export function withConnection(
  { model, providerType }: AgentDraft,
  connection: { id: string; defaultModel: string | null } | null,
): Partial<AgentDraft> {
  if (connection) return { connectionId: connection.id, model: connection.defaultModel ?? model };
  const [first = model] = modelNames(providerType);
  return { connectionId: null, model: modelNames(providerType).includes(model.trim()) ? model : first };
}

/** Returns the differences from the saved agent; empty when there is nothing to save. W5.07 */
export function changesOf(draft: AgentDraft, agent: Agent): AgentConfigurationChange {
  const saved = draftOf(agent);
  const changes: AgentConfigurationChange = {};
  if (draft.systemPrompt !== saved.systemPrompt) changes.systemPrompt = draft.systemPrompt;
  if (draft.connectionId !== saved.connectionId) changes.connectionId = draft.connectionId;
  if (isOwn(draft) && draft.providerType !== saved.providerType) changes.providerType = draft.providerType;
  if (draft.model.trim() !== saved.model) changes.model = draft.model.trim();
  if (draft.temperature !== saved.temperature) changes.temperature = draft.temperature;
  if (draft.maxTokens !== saved.maxTokens) changes.maxTokens = draft.maxTokens;
  if (draft.effort !== saved.effort) changes.effort = draft.effort;
  if (draft.mayGoWithoutTools !== saved.mayGoWithoutTools) changes.mayGoWithoutTools = draft.mayGoWithoutTools;
  const fallback = fallbackOf(draft);
  if (JSON.stringify(fallback) !== JSON.stringify(fallbackOf(saved))) changes.fallback = fallback;
  const work = workOf(draft);
  if (JSON.stringify(work) !== JSON.stringify(workOf(saved))) changes.work = work;
  if (hasAddress(draft) && draft.baseUrl.trim() !== saved.baseUrl) changes.baseUrl = draft.baseUrl.trim() || null;
  if (hasFolder(draft) && draft.folderId.trim() !== saved.folderId) changes.folderId = draft.folderId.trim() || null;
  if (!isOwn(draft)) return changes;
  if (draft.apiKey.trim()) changes.apiKey = draft.apiKey.trim();
  else if (draft.removeKey && agent.apiConfiguration.hasKey) changes.apiKey = null;
  return changes;
}

function fallbackOf({ fallbackId, fallbackModel }: AgentDraft): ApiConfiguration['fallback'] {
  return fallbackId === null ? null : { connectionId: fallbackId, model: fallbackModel.trim() };
}

function workOf(draft: AgentDraft): AgentWork {
  const { fileAccess, runsTests } = draft;
  return { fileAccess, runsTests, maxTurns: typedNumber(draft.maxTurns), maxCalls: typedNumber(draft.maxCalls) };
}

/** Returns a typed whole number; null for nothing, NaN for anything else. */
function typedNumber(text: string): number | null {
  return text.trim() === '' ? null : parseNumber(text);
}

/** Whether the draft asks the model that the saved agent asks. */
export function isSaved(draft: AgentDraft, agent: Agent): boolean {
  const saved = draftOf(agent);
  return (['connectionId', 'providerType', 'model', 'baseUrl'] as const).every((key) => draft[key] === saved[key]);
}

/** Whether calls are simulated with the draft too: no model is asked. M3.30 */
export function staysSimulated(draft: AgentDraft, { apiConfiguration: saved }: Pick<Agent, 'apiConfiguration'>): boolean {
  if (!isOwn(draft)) return false;
  if (draft.providerType === 'simulated') return true;
  const isSameProvider = draft.providerType === saved.providerType;
  return isSameProvider && saved.willSimulate === true && draft.apiKey.trim() === '' && draft.baseUrl.trim() === '';
}

/** Settings that a provider does not use, or that a connection replaces, are neither shown, nor checked, nor saved. */
export function isOwn({ connectionId }: Pick<AgentDraft, 'connectionId'>): boolean {
  return connectionId === null;
}
export function hasFolder(draft: Pick<AgentDraft, 'connectionId' | 'providerType'>): boolean {
  return isOwn(draft) && draft.providerType === 'yandexgpt';
}
export function hasAddress(draft: Pick<AgentDraft, 'connectionId' | 'providerType'>): boolean {
  return isOwn(draft) && draft.providerType !== 'simulated';
}

export type AgentFields = ZodForm<AgentDraft, AgentConfigurationChange>;

/**
 * The settings form of an agent, and what is saved of it. Figures that equal the saved agent's are valid: they were set through the API. W5.07
 */
export const agentFields = (agent: Agent) =>
  z.custom<AgentDraft>().transform((draft, { addIssue }) => {
    const { apiConfiguration: saved } = agent;
    const refuse = (name: keyof AgentDraft) => addIssue({ code: 'custom', path: [name] });
    if (draft.systemPrompt.length > 20_000) refuse('systemPrompt');
    if (!isModelName(draft.model)) refuse('model');
    if (draft.temperature !== saved.temperature && !onStep(draft.temperature, temperatureRange)) refuse('temperature');
    if (draft.maxTokens !== saved.maxTokens && !onStep(draft.maxTokens, maxTokensRange)) refuse('maxTokens');
    if (!maxTurns.nullable().safeParse(typedNumber(draft.maxTurns)).success) refuse('maxTurns');
    if (!maxCalls.nullable().safeParse(typedNumber(draft.maxCalls)).success) refuse('maxCalls');
    if (draft.fallbackId !== null && !isModelName(draft.fallbackModel)) refuse('fallbackModel');
    if (hasAddress(draft) && draft.baseUrl.trim() && !isHttpUrl(draft.baseUrl.trim())) refuse('baseUrl');
    if (hasFolder(draft) && draft.folderId.trim() && !/^[\w-]{1,100}$/.test(draft.folderId.trim())) refuse('folderId');
    return changesOf(draft, agent);
  });

function isModelName(text: string): boolean {
  const { length } = text.trim();
  return length > 0 && length <= 200;
}

/** Null, for the model's default, is always valid. */
function onStep(value: number | null, range: { min: number; max: number; step: number }): boolean {
  if (value === null) return true;
  if (!Number.isFinite(value) || value < range.min || value > range.max) return false;
  const steps = value / range.step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && text.length <= 500;
}
