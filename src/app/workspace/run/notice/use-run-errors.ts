import { useMemo } from 'react';
import type { ValidationProblem } from '../../../../../rules/checked-document.ts';
import { assignAgents } from '../../../../model/agents/assign-agents.ts';
import { serverAgents } from '../../../../model/agents/fallback-agent.ts';
import { errorsOfRun, nothingCanRun } from '../../../../model/run/participation/errors-of-run.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';

/** The errors that prevent the next run, also while an earlier one is shown. D1.42 */
export function useRunErrors(): readonly ValidationProblem[] {
  const validation = useWorkspace((state) => state.validation);
  const participation = useWorkspace((state) => state.participation);
  return useMemo(() => errorsOfRun(validation, participation), [validation, participation]);
}

/** Whether Start is off, since it would be refused whatever the task is. D1.42 */
export function useNothingCanRun(): boolean {
  const errors = useRunErrors();
  return useWorkspace(({ participation, document, agents }) =>
    nothingCanRun(participation, errors, () => assignAgents(Object.values(document.nodes), serverAgents(agents)).byNode),
  );
}
