import { useEffect } from 'react';
import { importPart } from '../../../ui/loading/import-part.ts';
import { readStored } from '../../../ui/stored-preference.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { trialKey, usePanels } from '../frame/panels.tsx';

/** Shows a trial again that an earlier page of this project has left without a choice. */
export function useKeptTrial(): void {
  const { show } = usePanels();
  const projectId = useWorkspace(({ status, project }) => (status === 'ready' ? (project?.id ?? null) : null));
  useEffect(() => {
    if (projectId === null || !readStored(trialKey(projectId))) return;
    let isCurrent = true;
    const showKept = async () => {
      const { isTrialOpen, readKeptTrial } = await importPart(() => import('./kept-trial.ts'));
      const trial = readKeptTrial(projectId, Date.now());
      if (trial && !(await isTrialOpen(trial)) && isCurrent) show({ rerun: null, compare: trial });
    };
    // What does not arrive is shown by the next page.
    void showKept().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [projectId, show]);
}
