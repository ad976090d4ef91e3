import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useConnections } from '../connections/use-connections.ts';
import { useModels, useOfferedModels } from '../models/use-models.ts';
import { type AgentDraft, isOwn } from './agent-draft.ts';

export type ModelChoice = ReturnType<typeof useModelChoice>;

/** Returns the connections that an agent may use, the models of the chosen one, and what is known of the chosen model. */
export function useModelChoice(draft: AgentDraft, readOnly: boolean) {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const connections = useConnections(readOnly ? null : projectId).value ?? [];
  const connected = useModels(draft.connectionId);
  const provider = connections.find(({ id }) => id === draft.connectionId)?.provider ?? draft.providerType;
  // Another server may serve other models under the same names.
  const offered = useOfferedModels(draft.providerType, !readOnly && draft.baseUrl.trim() === '');
  const list = isOwn(draft) ? offered : connected;
  const isFixed = list.models.find(({ id }) => id === draft.model.trim())?.isSamplingFixed === true;
  return { connections, list, provider, isFixed };
}
