import { type Agent, type ApiConfiguration, modelDefaults, providerModels } from '../../../../contract/agent.ts';
import type { AgentConfigurationChange } from '../../../model/commands.ts';

export const temperatureRange = { min: 0, max: 2, step: 0.1 } as const;
export const maxTokensRange = { min: 100, max: 8_000, step: 100 } as const;

/** The values of the settings form; `apiKey` is what the user typed, never the stored one. */
export type AgentDraft = {
  systemPrompt: string;
  providerType: ApiConfiguration['providerType'];
  model: string;
  temperature: number;
  maxTokens: number;
  baseUrl: string;
  folderId: string;
  apiKey: string;
  removeKey: boolean;
};

export function draftOf(agent: Agent): AgentDraft {
  const { providerType, model, temperature, maxTokens, baseUrl, folderId } = agent.apiConfiguration;
  return {
    systemPrompt: agent.configuration.systemPrompt,
    providerType,
    model,
    temperature: temperature ?? modelDefaults.temperature,
    maxTokens: maxTokens ?? modelDefaults.maxTokens,
    baseUrl: baseUrl ?? '',
    folderId: folderId ?? '',
    apiKey: '',
    removeKey: false,
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

/** Returns the differences from the saved agent; empty when there is nothing to save. W5.07 */
export function changesOf(draft: AgentDraft, agent: Agent): AgentConfigurationChange {
  const saved = draftOf(agent);
  const changes: AgentConfigurationChange = {};
  if (draft.systemPrompt !== saved.systemPrompt) changes.systemPrompt = draft.systemPrompt;
  if (draft.providerType !== saved.providerType) changes.providerType = draft.providerType;
  if (draft.model.trim() !== saved.model) changes.model = draft.model.trim();
  if (draft.temperature !== saved.temperature) changes.temperature = draft.temperature;
  if (draft.maxTokens !== saved.maxTokens) changes.maxTokens = draft.maxTokens;
  if (hasAddress(draft) && draft.baseUrl.trim() !== saved.baseUrl) changes.baseUrl = draft.baseUrl.trim() || null;
  if (hasFolder(draft) && draft.folderId.trim() !== saved.folderId) changes.folderId = draft.folderId.trim() || null;
  if (draft.apiKey.trim()) changes.apiKey = draft.apiKey.trim();
  else if (draft.removeKey && agent.apiConfiguration.hasKey) changes.apiKey = null;
  return changes;
}

/** Settings that a provider does not use are neither shown, nor checked, nor saved. */
export function hasFolder({ providerType }: Pick<AgentDraft, 'providerType'>): boolean {
  return providerType === 'yandexgpt';
}
export function hasAddress({ providerType }: Pick<AgentDraft, 'providerType'>): boolean {
  return providerType !== 'simulated';
}

export type DraftProblem = 'model' | 'temperature' | 'maxTokens' | 'baseUrl' | 'folderId' | 'systemPrompt';

/** Returns the invalid fields. Figures that equal the saved agent's are valid: they were set through the API. W5.07 */
export function draftProblems(draft: AgentDraft, { apiConfiguration: saved }: Pick<Agent, 'apiConfiguration'>): DraftProblem[] {
  const problems: DraftProblem[] = [];
  if (draft.systemPrompt.length > 20_000) problems.push('systemPrompt');
  if (!draft.model.trim() || draft.model.trim().length > 200) problems.push('model');
  if (draft.temperature !== saved.temperature && !onStep(draft.temperature, temperatureRange)) problems.push('temperature');
  if (draft.maxTokens !== saved.maxTokens && !onStep(draft.maxTokens, maxTokensRange)) problems.push('maxTokens');
  if (hasAddress(draft) && draft.baseUrl.trim() && !isHttpUrl(draft.baseUrl.trim())) problems.push('baseUrl');
  if (hasFolder(draft) && draft.folderId.trim() && !/^[\w-]{1,100}$/.test(draft.folderId.trim())) problems.push('folderId');
  return problems;
}

function onStep(value: number, range: { min: number; max: number; step: number }): boolean {
  if (!Number.isFinite(value) || value < range.min || value > range.max) return false;
  const steps = value / range.step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && text.length <= 500;
}
