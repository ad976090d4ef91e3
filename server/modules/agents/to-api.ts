import { type Agent, type ApiConfiguration, agent, apiConfiguration } from '../../../contract/agent.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import { modelHost } from '../connections/index.ts';
import type { AgentRow } from './repository.ts';
import { willSimulate } from './will-simulate.ts';

/** The providers whose models the operator lends, and the ids of the operator's connections that exist no longer: agents of these have none. */
export type Lending = { providers: ReadonlySet<string>; formerIds: ReadonlySet<string> };

const showConfiguration = viewOf(apiConfiguration);
const showAgent = viewOf(agent);

export function toApiConfiguration(row: AgentRow, { providers, formerIds }: Lending): ApiConfiguration {
  const { providerType, baseUrl } = row;
  const connectionId = row.connectionId !== null && formerIds.has(row.connectionId) ? null : row.connectionId;
  const hasKey = row.apiKeySealed !== null && row.apiKeyHost === modelHost(row);
  return showConfiguration(row, {
    connectionId,
    baseUrl: baseUrl && shownAddress(baseUrl),
    hasKey,
    keyLast4: hasKey ? row.apiKeyLast4 : null,
    willSimulate: willSimulate({ providerType, baseUrl, connectionId, hasKey }, providers),
  });
}

export function toAgent(row: AgentRow, lending: Lending): Agent {
  const { systemPrompt, plan } = row;
  return showAgent(row, { configuration: { systemPrompt, plan }, apiConfiguration: toApiConfiguration(row, lending) });
}
