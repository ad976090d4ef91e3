import { useEffect, useState } from 'react';
import type { Project } from '../../../../contract/project.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useSend } from '../frame/use-send.ts';
import styles from './projects.module.css';

type ProjectRemovalProps = { project: Project; open: boolean; onClose: () => void; onRemoved: () => void };

/** Asks for confirmation before a project is removed, and lists what is removed with it, counted by the server. */
export function ProjectRemoval({ project, open, onClose, onRemoved }: ProjectRemovalProps) {
  const { t } = useTranslation('projects');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const counted = useWorkspace((state) => state.projects.statistics[project.id]);
  const only = useWorkspace((state) => state.projects.items.length === 1);
  const running = useWorkspace((state) => state.projects.runningIds.includes(project.id));
  const [isUncounted, setUncounted] = useState(false);
  const { send, isBusy, problem } = useSend(onRemoved);

  useEffect(() => {
    void dispatch({ type: 'projects.load' });
    void dispatch({ type: 'project.count', id: project.id }).then(({ ok }) => setUncounted(!ok));
  }, [dispatch, project.id]);

  const hindrance =
    only || problem?.code === 'conflict' ? t('removal.last') : running || problem?.code === 'illegal_state' ? t('removal.running') : null;

  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t('removal.title', { name: project.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('removal.cancel')}</Button>
          <Button
            variant="danger"
            busy={isBusy}
            icon={<Trash2 size={16} aria-hidden />}
            disabled={hindrance !== null}
            onClick={() => void send({ type: 'project.remove', id: project.id })}
          >
            {t('removal.action')}
          </Button>
        </>
      }
    >
      <p>{t('removal.text')}</p>
      {counted ? (
        <ul className={styles.lost}>
          <li>{counted.totalAgents === 0 ? t('removal.canvasEmpty') : t('removal.canvas', { count: counted.totalAgents })}</li>
          {counted.totalPipelines > 0 && <li>{t('removal.pipelines', { count: counted.totalPipelines })}</li>}
          {counted.totalExecutions > 0 && <li>{t('removal.runs', { count: counted.totalExecutions })}</li>}
          <li>{t('removal.history')}</li>
        </ul>
      ) : (
        <p className={styles.note} role="status">
          {isUncounted ? t('removal.uncounted') : <Spinner size={16} />} {!isUncounted && t('removal.counting')}
        </p>
      )}
      <p className={styles.stay}>{t('removal.agentsStay')}</p>
      {(hindrance || problem) && (
        <p className={styles.refused} role="alert">
          {hindrance ?? (problem && problemText(problem))}
        </p>
      )}
    </Modal>
  );
}
