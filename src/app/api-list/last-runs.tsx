import type { ExecutionStatus } from '../../../contract/executions/execution.ts';
import { Badge, type BadgeProps } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../workers/bridge/use-workspace.ts';
import { usePanels } from '../workspace/frame/panels.tsx';
import styles from './api-list.module.css';

/** A run that a program has started. `about`: what is said of it beside its time. */
type LastRun = { runId: string; projectId: string; title: string; status: ExecutionStatus; at: string; about: readonly string[] };

const tones: Record<ExecutionStatus, BadgeProps['tone']> = {
  pending: 'neutral',
  running: 'accent',
  paused: 'warning',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
};
const ended: ReadonlySet<ExecutionStatus> = new Set(['completed', 'failed', 'cancelled']);

/** The last runs of a team or of an API key. One of the open project that has ended is shown on the canvas. */
export function LastRuns({ label, runs }: { label: string; runs: readonly LastRun[] }) {
  const { t } = useTranslation('connect');
  const { show } = usePanels();
  const dispatch = useDispatch();
  const projectId = useWorkspace(({ project }) => project?.id);
  const momentText = useMomentText('second');
  const open = (executionId: string) => {
    show({ window: null });
    void dispatch({ type: 'replay.open', executionId });
  };
  return (
    <ol className={styles.history} aria-label={label}>
      {runs.map(({ runId, title, status, at, about, ...run }) => {
        const moment = momentText(at);
        return (
          <li key={runId}>
            <span className={styles.run}>
              {title} <Badge tone={tones[status]}>{t(`run.status.${status}`)}</Badge>
              <small>{[moment, ...about].join(' · ')}</small>
            </span>
            {run.projectId === projectId && ended.has(status) && (
              <Button size="s" aria-label={t('run.showOf', { title, at: moment })} onClick={() => open(runId)}>
                {t('words:showRun')}
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
