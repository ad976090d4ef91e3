import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useConnections } from '../connections/use-connections.ts';
import { type ModelList, useModels } from '../models/use-models.ts';
import { type Tried, triedSource } from './offered-models.ts';

/** `list`: that of the agent's connection; null without one. */
export type TriedSource = Tried & { list: ModelList | null };

/** Returns at which provider and with which models a step of an agent can be tried. Null until that is known. G5.07 */
export function useTriedSource(agentId: string | undefined): TriedSource | null {
  const agent = useWorkspace((state) => (agentId === undefined ? undefined : state.agents.byId[agentId]?.apiConfiguration));
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const connectionId = agent?.connectionId ?? null;
  const connections = useConnections(connectionId === null ? null : projectId).value;
  const list = useModels(connectionId);
  const tried = triedSource(agent ?? { providerType: 'openai', connectionId: null }, connections, list.models);
  return tried && { ...tried, list: connectionId === null ? null : list };
}
