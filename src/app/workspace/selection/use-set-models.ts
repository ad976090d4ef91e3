import { useState } from 'react';
import type { AgentModels, AgentModelsSet } from '../../../../contract/agent.ts';
import type { Problem } from '../../../model/problem.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';

/** Agents of one call. */
const atOnce = 1_000;

/** Gives agents models, and keeps what they had before. */
export function useSetModels() {
  const dispatch = useDispatch();
  const [isBusy, setBusy] = useState(false);
  const [before, setBefore] = useState<AgentModelsSet['agents']>([]);
  /** Returns the problem of the first call that was refused; the calls after it are not made. */
  const set = async (all: readonly AgentModels[]): Promise<Problem | null> => {
    setBusy(true);
    let problem: Problem | null = null;
    for (const { agentIds, ...models } of all)
      for (let at = 0; at < agentIds.length && !problem; at += atOnce) {
        const outcome = await dispatch({ type: 'agents.setModels', agentIds: agentIds.slice(at, at + atOnce), ...models });
        if (!outcome.ok) problem = outcome.error;
        else setBefore((now) => [...now, ...(outcome.value?.modelsBefore ?? [])]);
      }
    setBusy(false);
    return problem;
  };
  return { set, isBusy, before, keep: setBefore };
}
