import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';

/** What the latest runs of the agents have cost that the next run calls; read again when a run has ended. Null until it is known, and without agents. */
export function useForecast() {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const { agentIds } = useWorkspace(({ team }) => team);
  const endedRun = useWorkspace(({ run }) => (run.outcome ? (run.execution?.id ?? null) : null));
  const subject = projectId === null || agentIds.length === 0 ? null : `${projectId} ${agentIds.join(' ')}`;
  return useRemoteData(
    'budget.forecast',
    { body: { projectId: projectId ?? '', agentIds: [...agentIds] } },
    subject && `${subject} ${endedRun}`,
    subject,
  ).value;
}
