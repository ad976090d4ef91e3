import { useMemo } from 'react';
import type { Agent } from '../../../../contract/agent.ts';
import { serverAgents } from '../../../model/agents/fallback-agent.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../frame/use-node-counts.ts';

/** Returns the agents that have cards on the canvas, each once, in menu order. */
export function useCanvasAgents(): Agent[] {
  const agents = useWorkspace((state) => state.agents);
  const placed = useNodeCounts(({ byAgent }) => byAgent);
  return useMemo(() => serverAgents(agents).filter(({ id }) => placed.has(id)), [agents, placed]);
}
