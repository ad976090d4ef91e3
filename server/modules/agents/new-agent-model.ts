import { modelDefaults, providerModels } from '../../../contract/agent.ts';
import { knownModel } from '../../platform/model-lists/known-models.ts';
import type { OperatorConnection } from '../connections/index.ts';
import type { NewAgentModel } from './service.ts';

/**
 * Returns the model of new agents: the specification's default on a server without a key of its operator, which simulates its answers. With one, the
 * default model of the operator's first connection, or `listed`, which its list has. Nothing is sent beside it that the model refuses.
 */
export function newAgentModel(operator: ReadonlyMap<string, OperatorConnection>, listed: string | null = null): NewAgentModel {
  const [connection] = operator.values();
  if (!connection) return { ...modelDefaults, connectionId: null };
  const { id: connectionId, provider: providerType, defaultModel } = connection;
  // At an address of the operator's own only a setting or its list can tell the model.
  const usual = providerType === modelDefaults.providerType ? modelDefaults.model : providerModels[providerType][0].name;
  const model = defaultModel ?? listed ?? usual;
  const isFixed = knownModel(providerType, model)?.isSamplingFixed ?? false;
  const { temperature, maxTokens } = modelDefaults;
  return { providerType, model, temperature: isFixed ? null : temperature, maxTokens: isFixed ? null : maxTokens, connectionId };
}
