import { useEffect } from 'react';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWindowSize } from '../use-window-size.ts';
import styles from './bars.module.css';

/** In a narrower window (CSS px) the figures are in the menu of the project's name only. */
const minWindowWidth = 1_360;

/** Agents on the canvas, and runs, which are counted again after each run; hidden while they are unknown. W3.08 */
export function ProjectCounts({ projectId }: { projectId: string }) {
  const { t } = useTranslation('workspace');
  const dispatch = useDispatch();
  const { show } = usePanels();
  const fits = useWindowSize().width >= minWindowWidth;
  const counted = useWorkspace((state) => state.projects.statistics[projectId]);
  const ready = useWorkspace((state) => state.status === 'ready');
  const placed = useNodeCounts(({ agents }) => agents);
  const running = useWorkspace((state) => state.run.phase !== 'stopped');
  useEffect(() => {
    if (fits && ready && !running) void dispatch({ type: 'project.count', id: projectId });
  }, [dispatch, projectId, fits, ready, running]);
  if (!fits || !counted) return null;
  const outcomes = t('bar.runsOf', { successful: counted.successfulExecutions, failed: counted.failedExecutions });
  return (
    <Tooltip label={outcomes}>
      <button type="button" className={styles.counts} data-testid="project-counts" onClick={() => show({ window: { kind: 'projects' } })}>
        {t('run.agents', { count: placed })} · {t('bar.runs', { count: counted.totalExecutions })}
        <span className="visually-hidden">, {outcomes}</span>
      </button>
    </Tooltip>
  );
}
