import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../server-data/use-read.ts';

/** What the latest runs of the agents have cost that the next run calls; read again when a run has ended. Null until it is known, and without agents. */
export function useForecast() {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { agentIds } = useWorkspace(({ team }) => team);
  const endedRun = useWorkspace(({ run }) => (run.outcome ? (run.execution?.id ?? null) : null));
  const asked = projectId === null || agentIds.length === 0 ? null : { body: { projectId, agentIds: [...agentIds] } };
  return useRead('budget.forecast', asked, { when: endedRun }).value;
}
