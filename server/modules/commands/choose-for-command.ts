import type { ModelChoice, Models } from '../../platform/llm/choose-model.ts';
import { isHome, providerAddresses } from '../../platform/llm/provider-addresses.ts';
import { endOf } from '../../platform/model-lists/known-models.ts';
import type { AgentModelConfig } from '../agents/index.ts';
import { settingsFor } from './command-prompt.ts';
import type { CommandRow } from './rows.ts';

/**
 * Chooses the model of a command: the one that it names, else its agent's. The console names models of the specification, which OpenAI has ended: where
 * its own server would be asked for one of them, the agent's model answers. The stored command names the model that has answered. W9.02
 */
export function chooseForCommand(
  models: Models,
  row: Pick<CommandRow, 'kind' | 'parameters' | 'userId'>,
  modelConfig: AgentModelConfig,
  now: Date,
): { settings: AgentModelConfig; chosen: ModelChoice } {
  const named = settingsFor(row, modelConfig);
  const chosen = models.choose(named, row.userId);
  if (!chosen.ok || named.model === modelConfig.model || !hasEnded(chosen.value, now)) return { settings: named, chosen };
  return { settings: modelConfig, chosen: models.choose(modelConfig, row.userId) };
}

function hasEnded({ provider, host, model }: { provider: string; host: string | null; model: string }, now: Date): boolean {
  if (host === null || !isProvider(provider) || !isHome(provider, `https://${host}`)) return false;
  const end = endOf(provider, model);
  return end !== null && Date.parse(end.on) <= now.getTime();
}

function isProvider(name: string): name is keyof typeof providerAddresses {
  return Object.hasOwn(providerAddresses, name);
}
