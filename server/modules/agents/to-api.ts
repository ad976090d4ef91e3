import type { Agent, ApiConfiguration } from '../../../contract/agent.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import type { AgentRow } from './repository.ts';
import { willSimulate } from './will-simulate.ts';

/** The providers whose models the operator lends, and the ids of the operator's connections that exist no longer: agents of these have none. */
export type Lending = { providers: ReadonlySet<string>; formerIds: ReadonlySet<string> };

export function toApiConfiguration(row: AgentRow, { providers, formerIds }: Lending): ApiConfiguration {
  const { providerType, model, temperature, maxTokens, effort, fallback, mayGoWithoutTools, work, baseUrl, folderId } = row;
  const connectionId = row.connectionId !== null && formerIds.has(row.connectionId) ? null : row.connectionId;
  const hasKey = row.apiKeySealed !== null;
  const address = baseUrl && shownAddress(baseUrl);
  const limits = { temperature, maxTokens, effort, mayGoWithoutTools, work };
  const isSimulated = willSimulate({ providerType, baseUrl, connectionId, hasKey }, providers);
  const own = { baseUrl: address, folderId, hasKey, keyLast4: row.apiKeyLast4, willSimulate: isSimulated };
  return { providerType, model, ...limits, connectionId, fallback, ...own };
}

export function toAgent(row: AgentRow, lending: Lending): Agent {
  const { id, userId, name, title, description, role, status, specialization, skills, priority, iconType } = row;
  const { contextAccessLevel, systemPrompt, plan } = row;
  return {
    id,
    userId,
    name,
    title,
    description,
    role,
    status,
    specialization,
    skills,
    priority,
    iconType,
    contextAccessLevel,
    configuration: { systemPrompt, plan },
    apiConfiguration: toApiConfiguration(row, lending),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
