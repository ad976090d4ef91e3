import { type Agent, type ApiConfiguration, agent, apiConfiguration } from '../../../contract/agent.ts';
import { viewOf } from '../../platform/database/view-of.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import { isHome } from '../../platform/llm/provider-addresses.ts';
import { endOf } from '../../platform/model-lists/known-models.ts';
import { modelHost, type OperatorConnection } from '../connections/index.ts';
import type { ServedAgentRow } from './repository.ts';
import { willSimulate } from './will-simulate.ts';

/**
 * The operator's connections by id, the providers whose models they lend, and the ids of those that exist no longer: agents of these have none.
 */
export type Lending = {
  operator: ReadonlyMap<string, OperatorConnection>;
  providers: ReadonlySet<string>;
  formerIds: ReadonlySet<string>;
};

const showConfiguration = viewOf(apiConfiguration);
const showAgent = viewOf(agent);

export function toApiConfiguration(row: ServedAgentRow, lending: Lending): ApiConfiguration {
  const { providers, formerIds } = lending;
  const { providerType, baseUrl } = row;
  const connectionId = row.connectionId !== null && formerIds.has(row.connectionId) ? null : row.connectionId;
  const hasKey = row.apiKeySealed !== null && row.apiKeyHost === modelHost(row);
  const isSimulated = willSimulate({ providerType, baseUrl, connectionId, hasKey }, providers);
  return showConfiguration(row, {
    connectionId,
    baseUrl: baseUrl && shownAddress(baseUrl),
    hasKey,
    keyLast4: hasKey ? row.apiKeyLast4 : null,
    willSimulate: isSimulated,
    ended: isSimulated ? null : endOfModel(row, { connectionId, hasKey }, lending),
  });
}

/** The end of an agent's model, where the provider's own server answers: another one may serve another model under the name. */
function endOfModel(
  { model, providerType, baseUrl, server }: ServedAgentRow,
  { connectionId, hasKey }: Pick<ApiConfiguration, 'connectionId' | 'hasKey'>,
  { operator }: Lending,
): ReturnType<typeof endOf> {
  const lent = [...operator.values()].find(({ id, provider }) =>
    connectionId === null ? provider === providerType && !hasKey && baseUrl === null : id === connectionId,
  );
  const own = connectionId === null ? { provider: providerType, address: baseUrl } : server;
  const at = lent ? { provider: lent.provider, address: lent.account.baseUrl } : own;
  if (!at || at.provider === 'simulated') return null;
  return at.address === null || isHome(at.provider, at.address) ? endOf(at.provider, model) : null;
}

export function toAgent(row: ServedAgentRow, lending: Lending): Agent {
  const { systemPrompt, plan } = row;
  return showAgent(row, { configuration: { systemPrompt, plan }, apiConfiguration: toApiConfiguration(row, lending) });
}
