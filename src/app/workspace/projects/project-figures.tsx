import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { formatDate } from '../time/format-moment.ts';
import styles from './projects.module.css';

/** The figures of the project, counted by the server when they are shown. W3.08 */
export function ProjectFigures({ projectId }: { projectId: string }) {
  const { t, language } = useTranslation('projects');
  const dispatch = useDispatch();
  const counted = useWorkspace((state) => state.projects.statistics[projectId]);
  const [failed, setFailed] = useState(false);
  const count = useCallback(async () => {
    setFailed(false);
    setFailed(!(await dispatch({ type: 'project.count', id: projectId })).ok);
  }, [dispatch, projectId]);
  useEffect(() => {
    void count();
  }, [count]);
  const figures = [
    {
      key: 'agents',
      value: counted?.totalAgents,
      note: counted && t('figures.agentsOf', { active: counted.activeAgents, total: counted.totalAgents }),
    },
    {
      key: 'runs',
      value: counted?.totalExecutions,
      note: counted && t('figures.runsOf', { successful: counted.successfulExecutions, failed: counted.failedExecutions }),
    },
    { key: 'pipelines', value: counted?.totalPipelines, note: counted && t('figures.pipelinesOf', { active: counted.activePipelines }) },
    {
      key: 'time',
      value: counted && (counted.averageExecutionTime === null ? t('figures.none') : durationText(counted.averageExecutionTime, language)),
      note: counted && t('figures.lastAt', { when: formatDate(counted.lastActivity, language) }),
    },
  ] as const;
  if (failed && !counted) {
    return (
      <div className={styles.uncounted} role="alert">
        <p>{t('figures.uncounted')}</p>
        <Button size="s" onClick={() => void count()}>
          {t('figures.again')}
        </Button>
      </div>
    );
  }
  return (
    <dl className={styles.figures} aria-label={t('figures.label')} aria-busy={counted === undefined || undefined}>
      {figures.map(({ key, value, note }) => (
        <div key={key}>
          <dt>{t(`figures.${key}`)}</dt>
          <dd>
            <strong>{value ?? t('figures.none')}</strong>
            <span>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
