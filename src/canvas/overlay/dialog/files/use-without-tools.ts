import { useMemo } from 'react';
import { modelCallsTools } from '../../../../../contract/agent.ts';
import { serverAgents } from '../../../../model/agents/fallback-agent.ts';
import type { Problem } from '../../../../model/problem.ts';
import { planPipeline } from '../../../../model/run/pipeline-plan.ts';
import type { WorkspaceStore } from '../../../../model/workspace-store.ts';
import { useStoreValue } from '../../../use-store-value.ts';

const none: Problem[] = [];

/** Returns a warning for each agent of a dialog's next run whose model calls no tools. `isAsked`: whether the run has files. G3.02 */
export function useWithoutTools(store: WorkspaceStore, dialogId: string, isAsked: boolean): Problem[] {
  const agents = useStoreValue(store, (state) => state.agents.byId);
  const order = useStoreValue(store, (state) => state.agents.order);
  const known = useMemo(() => serverAgents({ byId: agents, order }), [agents, order]);
  // Usually each model calls tools, and no canvas is planned.
  const isNeeded = isAsked && known.some(({ apiConfiguration: { providerType, model } }) => !modelCallsTools(providerType, model));
  const document = useStoreValue(store, (state) => (isNeeded ? state.document : null));
  return useMemo(() => {
    const dialog = document?.nodes[dialogId];
    const planned = document && dialog && planPipeline(document, known, dialog);
    return planned?.ok ? planned.plan.withoutTools.map(({ warning }) => warning) : none;
  }, [document, known, dialogId]);
}
