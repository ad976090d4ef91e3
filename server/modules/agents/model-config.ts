import type { Agent, AgentWork, ApiConfiguration } from '../../../contract/agent.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  type CallRow,
  type ConnectionSettings,
  modelHost,
  type OperatorConnection,
  settingsOfConnection,
  settingsOfOperator,
} from '../connections/index.ts';
import type { ModelConfigRow } from './repository.ts';

/** What a model call for an agent needs. `apiKey` is the agent's own key for this host, null when it has none; never log it. */
export type AgentModelConfig = {
  id: string;
  name: string;
  title: string;
  role: string;
  systemPrompt: string;
  /** How much of the run the agent receives; see `contextFor`. */
  contextAccessLevel: Agent['contextAccessLevel'];
  providerType: ApiConfiguration['providerType'];
  model: string;
  temperature: number | null;
  maxTokens: number | null;
  effort: ApiConfiguration['effort'];
  mayGoWithoutTools: boolean;
  work: AgentWork;
  baseUrl: string | null;
  folderId: string | null;
  apiKey: string | null;
  /** Further headers and fields of each call, of the agent's connection. */
  connection?: ConnectionSettings['connection'];
  toldPrices?: ConnectionSettings['toldPrices'];
  /** The settings of the model that is asked where this one fails; null for none. */
  fallback: FallbackModel | null;
  /** Whether the agent may have been given tools of tool servers. */
  hasTools: boolean;
  /** True when a stored key cannot be decrypted: the server's secret has changed. */
  keyUndecryptable: boolean;
  /** Whether the owner has confirmed the account's email address. */
  isOwnerVerified: boolean;
};

/** The settings of a second model: of another connection, else like those of the first. */
type FallbackModel = Omit<ConnectionSettings, 'providerType'> &
  Pick<AgentModelConfig, 'providerType' | 'model' | 'temperature' | 'maxTokens' | 'effort' | 'isOwnerVerified'>;

type ModelConfigDeps = { secrets: SecretBox; operator: ReadonlyMap<string, OperatorConnection> };

/** Returns what a model call for an agent needs: the settings of its connection, or its own. */
export function toModelConfig(deps: ModelConfigDeps, row: ModelConfigRow): AgentModelConfig {
  const { id, name, title, role, systemPrompt, contextAccessLevel, providerType, model, temperature, maxTokens, baseUrl, folderId } = row;
  const { effort, mayGoWithoutTools, work, hasTools, isOwnerVerified } = row;
  const asked = { model, temperature, maxTokens, effort, isOwnerVerified };
  const about = { id, name, title, role, systemPrompt, contextAccessLevel, mayGoWithoutTools, work, hasTools };
  const first = connectionSettings(deps, row.connectionId, row.connection) ?? ownSettings(deps, { providerType, baseUrl, folderId }, row);
  const second = row.fallback && connectionSettings(deps, row.fallback.connectionId, row.second);
  const fallback = row.fallback && second && { ...asked, ...second, model: row.fallback.model };
  return { ...about, ...asked, ...first, fallback };
}

/** The settings of a connection of the operator or of the user; null for none. */
function connectionSettings({ secrets, operator }: ModelConfigDeps, id: string | null, row: CallRow | null): ConnectionSettings | null {
  const operators = id === null ? undefined : operator.get(id);
  if (operators) return settingsOfOperator(operators);
  return row && settingsOfConnection(secrets, row);
}

function ownSettings(
  deps: ModelConfigDeps,
  own: Pick<ConnectionSettings, 'providerType' | 'baseUrl' | 'folderId'>,
  row: ModelConfigRow,
): ConnectionSettings {
  const key = openKey(deps, row);
  return { ...own, apiKey: key.open, keyUndecryptable: key.undecryptable };
}

function openKey({ secrets }: ModelConfigDeps, row: ModelConfigRow): { open: string | null; undecryptable: boolean } {
  const host = modelHost(row);
  if (row.apiKeySealed === null || row.apiKeyHost !== host) return { open: null, undecryptable: false };
  const open = secrets.open(row.apiKeySealed, aboutKey(row.id, host));
  return { open, undecryptable: open === null };
}

/** The agent and the host that a key is encrypted for. */
export function aboutKey(agentId: string, host: string): string {
  return `agent-key:${agentId}:${host}`;
}
