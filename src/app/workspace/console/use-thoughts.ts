import { useMemo } from 'react';
import type { Thought } from '../../../../contract/thought.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../use-reading.ts';
import { type ThoughtRow, thoughtRows } from './thought-rows.ts';

/** What the agents have thought aloud, read anew when a step or a command has ended. R46.01 */
export function useThoughts(): Reading<Thought[]> & { rows: ThoughtRow[] } {
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const steps = useWorkspace((state) => state.run.steps);
  const agents = useWorkspace((state) => state.agents.byId);
  const ended = steps.filter(({ status }) => status !== 'pending' && status !== 'running').length;
  const command = useWorkspace((state) => state.commandLine.waiting?.since ?? '');
  const reading = useReading('listThoughts', [projectId ?? ''], projectId && `${projectId} ${executionId} ${ended} ${command}`, projectId);
  const rows = useMemo(() => thoughtRows(reading.value ?? [], executionId, steps, agents), [reading.value, executionId, steps, agents]);
  return { ...reading, rows };
}
