import { useEffect, useState } from 'react';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { RunRow } from './run-row.tsx';
import { useForeseenStart, useStartChoice } from './start/use-start-run.ts';
import { TaskRow } from './task/task-row.tsx';
import { useLostForm } from './task/use-lost-form.ts';

/** The task with Start, or the shown run: one row. During a run and after it a task is written on request, in the place of the run. */
export function TeamControl() {
  const { view } = useWorkspaceContext();
  const { show } = usePanels();
  const phase = useWorkspace((state) => state.run.phase);
  const hasEnded = useWorkspace((state) => state.run.outcome !== null);
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  /** The run in whose place a task is written. */
  const [replaced, setReplaced] = useState<string | null>(null);
  /** Counts the forms that went while they were typed in: the field takes their focus. */
  const [lostForms, setLostForms] = useState(0);
  /** A person has asked for the field: it takes the focus. */
  const [isAsked, setAsked] = useState(false);
  const write = () => {
    setReplaced(executionId);
    setAsked(true);
  };
  useForeseenStart(useStartChoice());
  // After a run its own team is the next one, until another is chosen.
  useEffect(() => {
    if (executionId !== null) show({ team: null });
  }, [executionId, show]);
  useLostForm((nodeId) => {
    if (!view.ephemeral.selectedNodes.has(nodeId)) view.update({ selectedNodes: new Set([nodeId]), selectedLinks: new Set() });
    setReplaced(executionId);
    setAsked(false);
    setLostForms((count) => count + 1);
  });
  const isShown = phase !== 'stopped' || hasEnded;
  const isReplaced = executionId !== null && replaced === executionId && phase !== 'starting';
  if (isShown && !isReplaced) return <RunRow onWrite={write} />;
  const showRun = () => {
    setReplaced(null);
    setAsked(false);
  };
  return <TaskRow isAsked={isAsked && isReplaced} lostForms={lostForms} onBack={isShown ? showRun : null} onStarted={showRun} />;
}
